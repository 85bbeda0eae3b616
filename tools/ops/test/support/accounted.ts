// Events and deliveries of two tenants, as `ops verify` reads them.
import type { Commits } from "@tradepost/messaging";
import type { DeliveryTotals } from "@tradepost/webhooks/operate";

export const TENANT = "0198a000-0000-7000-8000-000000000001";
export const OTHER = "0198a000-0000-7000-8000-000000000002";
export const NONE = Buffer.alloc(0);
const NOON = Date.parse("2026-06-01T12:00:00Z");

/** This many minutes after noon. */
export const at = (minutes: number) => new Date(NOON + minutes * 60_000);
/** The id of an event at that time. */
export const idOf = (minutes: number) =>
  at(minutes)
    .getTime()
    .toString(16)
    .padStart(12, "0")
    .replace(/^(.{8})(.{4})$/, "$1-$2-7000-8000-000000000000");
export const idsOf = (...minutes: number[]) =>
  Buffer.concat(minutes.map((minute) => Buffer.from(idOf(minute).replaceAll("-", ""), "hex")));

export function commitsOf(more: Partial<Commits>): Commits {
  const nothing = { outbox: 0, parkedCount: 0, parked: [], published: NONE, justPublished: NONE };
  const given = { tenantId: TENANT, ...nothing, unpublished: NONE, ...more };
  const committed = (given.published.length + given.justPublished.length) / 16 + given.outbox;
  return { committed, ...given };
}

export function totalsOf(known: Buffer, more: Partial<DeliveryTotals> = {}): DeliveryTotals {
  const deliveries = { matched: 0, delivered: 0, failed: 0, paused: 0, cancelled: 0, inFlight: 0 };
  return { tenantId: TENANT, known, ...deliveries, mismatchedCount: 0, mismatched: [], ...more };
}
