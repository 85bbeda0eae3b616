// Explains in sentences where a delivery is, and why. Pure.
import { reasonOf } from "../delivery/delivery.ts";
import type { DeliveryStatus, Outcome } from "../delivery-status.ts";
import { DOWN_FROM_FAILURES } from "../endpoint/endpoint.ts";

type Waits = "window" | "queue" | "under way" | "listener" | "leased" | "retry";
type Where = Waits | "dead" | Exclude<DeliveryStatus, "pending" | "retrying">;

export type Explanation = ReturnType<typeof explain>;

export interface DeliveryFacts {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly nextAttemptAt: Date | null;
  readonly completedAt: Date | null;
  /** Null for a delivery that has ended or is paused. */
  readonly queueState: "waiting" | "queued" | "delayed" | null;
  readonly isDue: boolean;
  readonly isLocked: boolean;
  readonly isDead: boolean;
  readonly isBeingResumed: boolean;
  readonly waitingBefore: number;
  /** Queued or being attempted. */
  readonly queuedCount: number;
  readonly hasSubscription: boolean;
  readonly isOfListener: boolean;
  readonly isSuspended: boolean;
  readonly leasedUntil: Date | null;
  readonly windowSize: number | null;
  readonly consecutiveFailures: number | null;
  readonly heldUntil: Date | null;
  readonly downSince: Date | null;
  readonly maxPerSecond: number | null;
  readonly maxInFlight: number | null;
  /** Null unless it failed because it waited beyond a bound. */
  readonly givenUp: "expired" | "overflow" | null;
  readonly last: { readonly outcome: Outcome; readonly statusCode: number | null } | null;
}

export function explain(facts: DeliveryFacts) {
  const { status, attemptCount, last, nextAttemptAt } = facts;
  const [where, because] = whereAndWhy(facts);
  const soFar =
    last === null || attemptCount === 0
      ? "No attempt has ended."
      : `Attempt ${attemptCount}: ${reasonOf(last)}.`;
  const sentence = where === "delivered" ? because : `${because} ${soFar}`;
  return { deliveryId: facts.id, status, where, because: sentence, nextAttemptAt };
}

function whereAndWhy(facts: DeliveryFacts): [where: Where, because: string] {
  const { status, attemptCount, isLocked } = facts;
  const mayBeSent = status === "pending" || status === "retrying" || status === "paused";
  if (facts.isSuspended && !isLocked && mayBeSent)
    return [
      "paused",
      "The operator has suspended its tenant; it is sent once the tenant is resumed, unless its subscription is paused as well.",
    ];
  if (facts.isOfListener && mayBeSent) return whereInListener(facts);
  if (isLocked && status !== "delivered") return ["under way", `Attempt ${attemptCount + 1} is in progress.`];
  switch (status) {
    case "delivered":
      return [status, `The receiver accepted attempt ${attemptCount}.`];
    case "cancelled":
      return [
        status,
        facts.hasSubscription
          ? "The operator stopped offering its event type before it was delivered."
          : "Its subscription was deleted before it was delivered.",
      ];
    case "paused":
      return [
        status,
        "Its subscription is paused (active: false); it is sent when the subscription is active again.",
      ];
    case "failed":
      return facts.isDead
        ? ["dead", `${whyFailed(facts)}; it is a dead letter until it is redriven or purged.`]
        : [status, `${whyFailed(facts)}, and it was purged from the dead letters.`];
    default:
      return whereAndWhyNotYet(facts);
  }
}

function whyFailed({ givenUp }: DeliveryFacts): string {
  if (givenUp === "expired") return "It waited for longer than WEBHOOKS_WAITING_DAYS_MAX";
  if (givenUp === "overflow") return "More than WEBHOOKS_WAITING_MAX deliveries of its tenant waited";
  return "Its last attempt failed";
}

function whereInListener(facts: DeliveryFacts): [where: Where, because: string] {
  const { status, attemptCount, isDue, isBeingResumed, leasedUntil, waitingBefore } = facts;
  if (leasedUntil !== null) {
    const until = leasedUntil.toISOString();
    return [
      "leased",
      `Attempt ${attemptCount + 1} is leased by its listener's client until ${until}, and its result has not been reported.`,
    ];
  }
  if (status === "paused")
    return ["paused", "Its listener has expired; the next lease continues with the oldest delivery."];
  if (!isDue && !isBeingResumed) return ["retry", "It can be leased again at the time of its next attempt."];
  return [
    "listener",
    `It waits until its listener's client leases it; ${waitingBefore} wait before this one.`,
  ];
}

function whereAndWhyNotYet(facts: DeliveryFacts): [where: Waits, because: string] {
  const { queueState, isDue, isBeingResumed } = facts;
  if (isBeingResumed)
    return [
      "window",
      "Its subscription was resumed; its paused deliveries are admitted again, oldest first.",
    ];
  if (queueState === "queued")
    return ["queue", "It is in the queue webhooks.deliveries; its attempt follows shortly."];
  if (!isDue) return ["retry", "It waits until the time of its next attempt."];
  if (queueState !== "waiting")
    return ["retry", "Its wait is over; its message arrives shortly, or the sweep replaces it."];
  return ["window", whyInWindow(facts)];
}

function whyInWindow(facts: DeliveryFacts): string {
  const { waitingBefore, queuedCount, windowSize, consecutiveFailures, heldUntil, downSince } = facts;
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
