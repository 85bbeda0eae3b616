// A delivery's states: which transitions exist, and the status after each. Every change of a status is looked up here, also by
// SQL. The README draws the diagram. Pure (interface §7).
import { type DeliveryStatus, deliveryStatuses, type Outcome } from "../delivery-status.ts";
import type { Wait } from "../topology.ts";

/** An attempt's outcome in one phrase: `timeout`, `http_status 500`. */
export function reasonOf({ outcome, statusCode }: { outcome: Outcome; statusCode: number | null }): string {
  return outcome === "http_status" ? `http_status ${statusCode}` : outcome;
}

/** `delayMs` is the wait with its jitter. */
export type AttemptTransition =
  | { readonly name: "attempt succeeded" }
  | { readonly name: "attempt failed"; readonly wait: Wait; readonly delayMs: number }
  | { readonly name: "last attempt failed" };

export type TransitionName =
  | AttemptTransition["name"]
  | "paused"
  | "resumed before its first attempt"
  | "resumed between attempts"
  | "cancelled"
  | "restarted"
  | "restarted while paused";

// A row lists the statuses that have the transition. An attempt may end after its delivery was paused or cancelled. A success
// always counts. After a failure a paused delivery stays paused until its last attempt, and a cancelled one stays cancelled.
const TRANSITIONS: Readonly<Record<TransitionName, Partial<Record<DeliveryStatus, DeliveryStatus>>>> = {
  "attempt succeeded": {
    pending: "delivered",
    retrying: "delivered",
    paused: "delivered",
    cancelled: "delivered",
  },
  "attempt failed": { pending: "retrying", retrying: "retrying", paused: "paused", cancelled: "cancelled" },
  "last attempt failed": { pending: "failed", retrying: "failed", paused: "failed", cancelled: "cancelled" },
  paused: { pending: "paused", retrying: "paused" },
  "resumed before its first attempt": { paused: "pending" },
  "resumed between attempts": { paused: "retrying" },
  cancelled: { pending: "cancelled", retrying: "cancelled", paused: "cancelled" },
  restarted: fromAny("pending"),
  "restarted while paused": fromAny("paused"),
};

export function statusAfter(name: TransitionName, before: DeliveryStatus): DeliveryStatus | null {
  return TRANSITIONS[name][before] ?? null;
}

export function transitionColumns(...names: TransitionName[]) {
  const rows = names.flatMap((name) =>
    deliveryStatuses.flatMap((before) => {
      const after = statusAfter(name, before);
      return after === null ? [] : [{ name, before, after }];
    }),
  );
  return {
    name: rows.map(({ name }) => name),
    before: rows.map(({ before }) => before),
    after: rows.map(({ after }) => after),
  };
}

function fromAny(after: DeliveryStatus) {
  return Object.fromEntries(deliveryStatuses.map((before) => [before, after]));
}
