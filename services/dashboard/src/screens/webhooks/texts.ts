import type { DataOf } from "@tradepost/client/operations";
import { number } from "../../format/shop.ts";
import { failuresText, outcomeText } from "../../format/webhooks.ts";
import { counted } from "../../format/words.ts";

export type Subscription = DataOf<"getSubscription">;

export interface State {
  readonly text: "Active" | "Healthy" | "Failing" | "Down" | "Paused";
  readonly tone: "good" | "warning" | "danger" | "quiet";
  /** Says what is wrong; empty if nothing is. */
  readonly fault: string;
}

type Known = Pick<Subscription, "active" | "health">;

export function stateOf({ active, health }: Known): State {
  const fault = failuresText(health);
  if (!active) return { text: "Paused", tone: "warning", fault };
  if (health.status === "down") return { text: "Down", tone: "danger", fault };
  if (health.status === "failing") return { text: "Failing", tone: "danger", fault };
  // Nothing was delivered yet, so the endpoint's health is not known.
  if (health.lastSuccessAt === null) return { text: "Active", tone: "quiet", fault };
  return { text: "Healthy", tone: "good", fault };
}

/** `At most 10 attempts a second, 2 at a time`. */
export function limitsText({
  maxPerSecond,
  maxInFlight,
}: Pick<Subscription, "maxPerSecond" | "maxInFlight">): string {
  if (maxPerSecond !== null && maxInFlight !== null)
    return `At most ${counted(maxPerSecond, "attempt")} a second, ${maxInFlight} at a time`;
  if (maxPerSecond !== null) return `At most ${counted(maxPerSecond, "attempt")} a second`;
  if (maxInFlight !== null) return `At most ${counted(maxInFlight, "attempt")} at a time`;
  return "None";
}

export function retriedText(waiting: number): string {
  if (waiting === 0) return "Nothing waits for a retry.";
  return `${counted(waiting, "delivery is", "deliveries are")} due now.`;
}

/** How much of an event's data deliveries have. */
export const PAYLOADS = { full: "All of it", thin: "Thin" } as const;

export const STALE = ["listSubscriptions", "getSubscription"] as const;

const DELIVERY_ID = "0198c5b3-2f4b-7a10-9d3c-1f2e3d4c5b6a";
const DELIVERED_AT = "2026-08-20T09:30:00.250Z";

export function exampleBody(type: string, data: object, tenantId: string): string {
  const body = { id: DELIVERY_ID, type, tenant_id: tenantId, data, delivered_at: DELIVERED_AT };
  return JSON.stringify(body, null, 2);
}

/** `12 of the latest 1,000 events match`. */
export function previewText({
  examined,
  matched,
}: Pick<DataOf<"previewFilter">, "examined" | "matched">): string {
  if (examined === 0) return "Nothing has happened yet that it could be tried on";
  if (examined === 1) return matched === 1 ? "The latest event matches" : "The latest event does not match";
  return `${number(matched)} of the latest ${number(examined)} events ${matched === 1 ? "matches" : "match"}`;
}

type Delivery = Pick<DataOf<"getDelivery">, "status" | "attempts">;

export function testText({ status, attempts }: Delivery): string {
  const last = attempts.at(-1);
  const outcome = last && outcomeText(last.outcome, last.statusCode);
  switch (status) {
    case "delivered":
      return last ? `It arrived: ${outcome}, after ${last.durationMs} ms.` : "It arrived.";
    case "retrying":
      return `Attempt ${last?.attempt ?? 1} failed${outcome ? `: ${outcome}` : ""}.`;
    case "failed":
      return `All attempts failed${outcome ? `: ${outcome}` : ""}.`;
    case "paused":
      return "It waits until the subscription is resumed.";
    case "cancelled":
      return "The subscription was deleted, so it is not sent.";
    case "pending":
      return "It is on its way.";
  }
}
