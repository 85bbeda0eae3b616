// The state of a subscription in words. Pure.
import type { DataOf } from "@tradepost/client/operations";
import { failuresText } from "../../format/webhooks.ts";

export type Subscription = DataOf<"getSubscription">;

export interface State {
  readonly name: "Active" | "Healthy" | "Failing" | "Down" | "Paused";
  readonly tone: "good" | "warning" | "danger" | "quiet";
  /** A sentence about the fault; empty if there is none. */
  readonly fault: string;
}

type Known = Pick<Subscription, "active" | "health">;

export function stateOf({ active, health }: Known): State {
  const fault = failuresText(health);
  if (!active) return { name: "Paused", tone: "warning", fault };
  if (health.status === "down") return { name: "Down", tone: "danger", fault };
  if (health.status === "failing") return { name: "Failing", tone: "danger", fault };
  // Nothing was delivered yet, so the endpoint's health is not known.
  if (health.lastSuccessAt === null) return { name: "Active", tone: "quiet", fault };
  return { name: "Healthy", tone: "good", fault };
}

/** `At most 10 attempts a second, 2 at a time`. */
export function limitsText({
  maxPerSecond,
  maxInFlight,
}: Pick<Subscription, "maxPerSecond" | "maxInFlight">): string {
  const counted = (count: number) => `${count} ${count === 1 ? "attempt" : "attempts"}`;
  if (maxPerSecond !== null && maxInFlight !== null)
    return `At most ${counted(maxPerSecond)} a second, ${maxInFlight} at a time`;
  if (maxPerSecond !== null) return `At most ${counted(maxPerSecond)} a second`;
  if (maxInFlight !== null) return `At most ${counted(maxInFlight)} at a time`;
  return "None";
}

export function retriedText(waiting: number): string {
  if (waiting === 0) return "Nothing waits for a retry.";
  return `${waiting === 1 ? "1 delivery is" : `${waiting} deliveries are`} due now.`;
}

/** What deliveries have of an event's data. */
export const PAYLOADS = { full: "All of it", thin: "Thin" } as const;

/** The operations whose data is read again after a change of a subscription. */
export const STALE = ["listSubscriptions", "getSubscription"] as const;
