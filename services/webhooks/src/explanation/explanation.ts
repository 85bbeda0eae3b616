// Says of one delivery where it is now and why, in sentences. Pure.

import { type DeliveryStatus, type Outcome, reasonOf } from "../delivery/delivery.ts";
import { PROBED_FROM_FAILURES } from "../endpoint/window.ts";

export interface Explanation {
  readonly deliveryId: string;
  readonly status: DeliveryStatus;
  readonly where:
    | "window"
    | "queue"
    | "under way"
    | "retry"
    | "paused"
    | "dead"
    | "delivered"
    | "failed"
    | "cancelled";
  readonly because: string;
  readonly nextAttemptAt: Date | null;
}

/** What an explanation is made of, read in one statement. */
export interface DeliveryFacts {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly nextAttemptAt: Date | null;
  readonly completedAt: Date | null;
  /** Null for what is over, and where no queue state is known: the sweep will adopt it. */
  readonly queueState: "waiting" | "queued" | "delayed" | null;
  readonly isDue: boolean;
  readonly isLocked: boolean;
  readonly isDead: boolean;
  /** Its subscription was resumed, and it is still to be put where it waits. */
  readonly isBeingResumed: boolean;
  /** Of the same endpoint: waiting before this one, and on the broker or under way. */
  readonly waitingBefore: number;
  readonly queuedCount: number;
  /** Null where the subscription is gone. */
  readonly windowSize: number | null;
  readonly consecutiveFailures: number | null;
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
      ? "No attempt has ended yet."
      : `Attempt ${attemptCount}: ${reasonOf(last)}.`;
  if (isLocked && status !== "delivered") {
    return { where: "under way", because: `Attempt ${attemptCount + 1} is being made right now. ${soFar}` };
  }
  switch (status) {
    case "delivered":
      return {
        where: "delivered",
        because: `The receiver accepted attempt ${attemptCount}. Nothing is left to do.`,
      };
    case "cancelled":
      return { where: "cancelled", because: `Its subscription was deleted before it arrived. ${soFar}` };
    case "paused":
      return {
        where: "paused",
        because: `Its subscription is paused (active: false); it is sent once it is active again. ${soFar}`,
      };
    case "failed":
      return facts.isDead
        ? { where: "dead", because: `Its last attempt failed; it waits to be redriven or purged. ${soFar}` }
        : {
            where: "failed",
            because: `Its last attempt failed, and it was purged from the dead letters. ${soFar}`,
          };
    default:
      return { where: whereOf(facts), because: `${whyNotYet(facts)} ${soFar}` };
  }
}

function whereOf({ queueState, isDue, isBeingResumed }: DeliveryFacts): Explanation["where"] {
  if (isBeingResumed) return "window";
  if (queueState === "queued") return "queue";
  return queueState === "waiting" && isDue ? "window" : "retry";
}

function whyNotYet(facts: DeliveryFacts): string {
  const { queueState, isDue, isBeingResumed, waitingBefore, queuedCount, windowSize, consecutiveFailures } =
    facts;
  if (isBeingResumed)
    return "Its subscription was resumed; paused deliveries are moved to its window, oldest first.";
  if (queueState === "queued") return "It is in the queue webhooks.deliveries; its attempt is next in line.";
  if (!isDue) return "It waits for the time of its next attempt.";
  if (queueState !== "waiting")
    return "Its wait is over; its message is on the way back, or the sweep will replace it.";
  if ((consecutiveFailures ?? 0) >= PROBED_FROM_FAILURES) {
    return `Its endpoint has failed ${consecutiveFailures} times in a row and is probed with one delivery at a time; ${waitingBefore} are before this one.`;
  }
  return `It waits for room in its endpoint's window: ${queuedCount} of ${windowSize} are under way, ${waitingBefore} are before this one.`;
}
