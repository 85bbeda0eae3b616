// Explains in sentences where a delivery is, and why. Pure.

import { reasonOf } from "../delivery/delivery.ts";
import type { DeliveryStatus, Outcome } from "../delivery-status.ts";
import { DOWN_FROM_FAILURES } from "../subscriptions/subscriptions.ts";

export interface Explanation {
  readonly deliveryId: string;
  readonly status: DeliveryStatus;
  readonly where:
    | "window"
    | "queue"
    | "under way"
    | "listener"
    | "leased"
    | "retry"
    | "paused"
    | "dead"
    | "delivered"
    | "failed"
    | "cancelled";
  readonly because: string;
  readonly nextAttemptAt: Date | null;
}

export interface DeliveryFacts {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly nextAttemptAt: Date | null;
  readonly completedAt: Date | null;
  /** Null for a delivery that has ended or is paused. The sweep requeues other deliveries without a state. */
  readonly queueState: "waiting" | "queued" | "delayed" | null;
  readonly isDue: boolean;
  readonly isLocked: boolean;
  readonly isDead: boolean;
  /** Whether its subscription was resumed, but the reconciliation has not reached the delivery yet. */
  readonly isBeingResumed: boolean;
  /** How many deliveries of the same endpoint wait before this one. */
  readonly waitingBefore: number;
  /** How many deliveries of the same endpoint are queued or being attempted. */
  readonly queuedCount: number;
  /** Whether its subscription is a listener. */
  readonly isOfListener: boolean;
  /** Whether the operator has suspended the tenant. */
  readonly isSuspended: boolean;
  /** When its lease ends; null for a delivery that is not leased. */
  readonly leasedUntil: Date | null;
  /** Null if the subscription has been deleted. */
  readonly windowSize: number | null;
  readonly consecutiveFailures: number | null;
  /** When the hold of its endpoint ends; null if it is not held. */
  readonly heldUntil: Date | null;
  /** Since when its endpoint is down; null if it is not. */
  readonly downSince: Date | null;
  readonly maxPerSecond: number | null;
  readonly maxInFlight: number | null;
  /** Why the delivery failed other than by its last attempt; otherwise null. */
  readonly givenUp: "expired" | "overflow" | null;
  readonly last: { readonly outcome: Outcome; readonly statusCode: number | null } | null;
}

export function explain(facts: DeliveryFacts): Explanation {
  return {
    deliveryId: facts.id,
    status: facts.status,
    ...whereAndWhy(facts),
    nextAttemptAt: facts.nextAttemptAt,
  };
}

function whereAndWhy(facts: DeliveryFacts): Pick<Explanation, "where" | "because"> {
  const { status, attemptCount, last, isLocked } = facts;
  const soFar =
    last === null || attemptCount === 0
      ? "No attempt has ended."
      : `Attempt ${attemptCount}: ${reasonOf(last)}.`;
  if (
    facts.isSuspended &&
    !isLocked &&
    (status === "pending" || status === "retrying" || status === "paused")
  ) {
    return {
      where: "paused",
      because: `The operator has suspended its tenant; it is sent once the tenant is resumed, unless its subscription is paused as well. ${soFar}`,
    };
  }
  if (facts.isOfListener && status !== "delivered" && status !== "failed") {
    return whereInListener(facts, soFar);
  }
  if (isLocked && status !== "delivered") {
    return { where: "under way", because: `Attempt ${attemptCount + 1} is in progress. ${soFar}` };
  }
  switch (status) {
    case "delivered":
      return {
        where: "delivered",
        because: `The receiver accepted attempt ${attemptCount}.`,
      };
    case "cancelled":
      return {
        where: "cancelled",
        because: `Its subscription was deleted before it was delivered. ${soFar}`,
      };
    case "paused":
      return {
        where: "paused",
        because: `Its subscription is paused (active: false); it is sent when the subscription is active again. ${soFar}`,
      };
    case "failed":
      return facts.isDead
        ? {
            where: "dead",
            because: `${whyFailed(facts)}; it is a dead letter until it is redriven or purged. ${soFar}`,
          }
        : {
            where: "failed",
            because: `${whyFailed(facts)}, and it was purged from the dead letters. ${soFar}`,
          };
    default:
      return { where: whereOf(facts), because: `${whyNotYet(facts)} ${soFar}` };
  }
}

function whyFailed({ givenUp }: DeliveryFacts): string {
  if (givenUp === "expired") return "It waited for longer than WEBHOOKS_WAITING_DAYS_MAX";
  if (givenUp === "overflow") return "More than WEBHOOKS_WAITING_MAX deliveries of its tenant waited";
  return "Its last attempt failed";
}

function whereInListener(facts: DeliveryFacts, soFar: string): Pick<Explanation, "where" | "because"> {
  const { status, attemptCount, isDue, isBeingResumed, leasedUntil, waitingBefore } = facts;
  if (leasedUntil !== null) {
    const until = leasedUntil.toISOString();
    return {
      where: "leased",
      because: `Attempt ${attemptCount + 1} is leased by its listener's client until ${until}, and its result has not been reported. ${soFar}`,
    };
  }
  if (status === "paused") {
    return {
      where: "paused",
      because: `Its listener has expired; the next lease continues with the oldest delivery. ${soFar}`,
    };
  }
  if (!isDue && !isBeingResumed) {
    return { where: "retry", because: `It can be leased again at the time of its next attempt. ${soFar}` };
  }
  return {
    where: "listener",
    because: `It waits until its listener's client leases it; ${waitingBefore} wait before this one. ${soFar}`,
  };
}

function whereOf({ queueState, isDue, isBeingResumed }: DeliveryFacts): Explanation["where"] {
  if (isBeingResumed) return "window";
  if (queueState === "queued") return "queue";
  return queueState === "waiting" && isDue ? "window" : "retry";
}

function whyNotYet(facts: DeliveryFacts): string {
  const { queueState, isDue, isBeingResumed, waitingBefore, queuedCount, windowSize, consecutiveFailures } =
    facts;
  const { heldUntil, downSince } = facts;
  if (isBeingResumed)
    return "Its subscription was resumed; its paused deliveries are admitted again, oldest first.";
  if (queueState === "queued") return "It is in the queue webhooks.deliveries; its attempt follows shortly.";
  if (!isDue) return "It waits until the time of its next attempt.";
  if (queueState !== "waiting")
    return "Its wait is over; its message arrives shortly, or the sweep replaces it.";
  if (downSince !== null) {
    const next = heldUntil === null ? "" : `, the next at ${heldUntil.toISOString()}`;
    return `Its endpoint has been down since ${downSince.toISOString()}: one delivery at a time is tried${next}; ${waitingBefore} wait before this one.`;
  }
  if (heldUntil !== null)
    return `Its endpoint asked to wait until ${heldUntil.toISOString()}; ${waitingBefore} wait before this one.`;
  if ((consecutiveFailures ?? 0) >= DOWN_FROM_FAILURES) {
    return `Its endpoint has failed ${consecutiveFailures} times in a row and is probed with one delivery at a time; ${waitingBefore} wait before this one.`;
  }
  return `It waits for its endpoint's turn: ${queuedCount} of its window of ${windowSize} are in progress or queued, ${waitingBefore} wait before this one.${limitsOf(facts)}`;
}

function limitsOf({ maxPerSecond, maxInFlight }: DeliveryFacts): string {
  const limits = [
    ...(maxPerSecond === null ? [] : [`${maxPerSecond} attempts a second`]),
    ...(maxInFlight === null ? [] : [`${maxInFlight} at a time`]),
  ];
  return limits.length === 0 ? "" : ` Its subscription allows ${limits.join(" and ")}.`;
}
