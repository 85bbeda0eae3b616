import type { ItemOf } from "@tradepost/client/operations";
import { failuresText } from "../../format/webhooks.ts";
import { counted } from "../../format/words.ts";

type Subscription = ItemOf<"listSubscriptions">;
type ApiKey = ItemOf<"listApiKeys">;

export function subscriptionFaults(subscriptions: readonly Subscription[]) {
  const failing = subscriptions.filter(({ active, health }) => active && health.status !== "healthy");
  const paused = subscriptions.filter(({ active }) => !active);
  return [
    ...failing.map(({ id, name, health }) => ({
      id,
      name,
      tone: "danger" as const,
      state: health.status === "down" ? "Down" : "Failing",
      text: failuresText(health),
    })),
    ...paused.map(({ id, name }) => ({
      id,
      name,
      tone: "warning" as const,
      state: "Paused",
      text: "Nothing is sent. What happens meanwhile is kept until it is resumed.",
    })),
  ];
}

const SOON_MS = 7 * 24 * 3_600_000;

/** Returns the working keys that expire within 7 days, the next one to expire first. */
export function expiringKeys(keys: readonly ApiKey[], now: number): (ApiKey & { expiresAt: string })[] {
  const left = (expiresAt: string) => Date.parse(expiresAt) - now;
  return keys
    .flatMap((key) => {
      const { expiresAt, revokedAt } = key;
      const isSoon =
        expiresAt !== null && revokedAt === null && left(expiresAt) > 0 && left(expiresAt) < SOON_MS;
      return isSoon ? [{ ...key, expiresAt }] : [];
    })
    .toSorted((a, b) => left(a.expiresAt) - left(b.expiresAt));
}

/** `3 deliveries`; `100 or more deliveries` if not all were read. */
export function countOfDeliveries(count: number, hasMore: boolean): string {
  return hasMore ? `${count} or more deliveries` : counted(count, "delivery", "deliveries");
}
