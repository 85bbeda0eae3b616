// Leases the oldest due deliveries of a listener and returns their signed requests.
import { isOfOrders } from "@tradepost/event-catalog/order-events";
import { queryTogether, toStatement } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Pool } from "pg";
import { claims, requests } from "../delivery/delivery.ts";
import { type Sealing, signingKeys } from "../endpoint/endpoint.ts";

export interface ListenerId {
  readonly tenantId: string;
  readonly listenerId: string;
}

export type Lease = NonNullable<Awaited<ReturnType<typeof leaseDeliveries>>>;

/** Returns deliveries in the order in which they became due, and postpones the expiry. Null without a listener, or if it has expired. */
export async function leaseDeliveries(
  pool: Pool,
  { tenantId, listenerId }: ListenerId,
  options: { limit: number; leaseMs: number; sealing: Sealing; more: readonly string[] },
) {
  const { limit, leaseMs, sealing, more } = options;
  const [moved, leased] = await queryTogether(pool, [
    moveExpiry({ tenantId, listenerId }),
    claims.lease({ tenantId, listenerId }, limit, leaseMs),
  ]);
  const [listener] = (moved?.rows ?? []) as { hasExpired: boolean }[];
  if (listener === undefined || listener.hasExpired) return null;
  const rows = (leased?.rows ?? []) as claims.LeasedRow[];
  // An operator may have redriven a delivery of a type that is offered no more.
  const offered = rows.filter(({ type }) => !isOfOrders(type) || more.includes(type));
  return {
    leased: signed(offered, { tenantId, listenerId }, sealing),
    nextDueInMs: rows[0]?.nextDueInMs ?? null,
  };
}

function signed(rows: readonly claims.LeasedRow[], { tenantId, listenerId }: ListenerId, sealing: Sealing) {
  const [first] = rows;
  if (first === undefined || first.deliveryId === null) return [];
  const keys = signingKeys(sealing.openSecret(first.secretSealed, tenantId, listenerId));
  return rows.flatMap(({ deliveryId, at, leasedUntil, ...row }) => {
    if (deliveryId === null) return [];
    const { attempt } = row;
    const occurredAt = row.occurredAt.toISOString();
    const facts = { ...row, tenantId, deliveryId, occurredAt, replayId: null };
    return [
      { deliveryId, attempt, leaseId: leaseIdOf(at), leasedUntil, ...requests.signed(facts, at, { keys }) },
    ];
  });
}

/** No two leases of a delivery begin at the same time, because each ends before the next begins. */
export function leaseIdOf(leasedAt: Date): string {
  return leasedAt.getTime().toString(36);
}

// Makes leases of one listener wait for each other, so that the next statement sees everything that is leased.
const moveExpiry = ({ tenantId, listenerId }: ListenerId) =>
  toStatement(sql`
  update listeners set expires_at = now() + expires_in_hours * interval '1 hour'
   where tenant_id = ${tenantId} and subscription_id = ${listenerId}
  returning has_expired as "hasExpired"`);
