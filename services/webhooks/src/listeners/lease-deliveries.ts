// Leases deliveries of a listener: locks the oldest ones that are due for some time, and returns their signed requests.
import { queryTogether, toStatement } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Pool } from "pg";
import { signedRequest } from "../delivery/delivery.ts";
import type { Sealing } from "../endpoint/endpoint.ts";
import { openSecret, signingKeys } from "../endpoint/endpoint.ts";
import { IN_TURN } from "../statement-parts.ts";

export interface ListenerId {
  readonly tenantId: string;
  readonly listenerId: string;
}

export interface LeasedDelivery extends ReturnType<typeof signedRequest> {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly leaseId: string;
  readonly leasedUntil: Date;
}

export interface Lease {
  readonly leased: LeasedDelivery[];
  /** The time in ms until the next delivery becomes due; null if no other delivery waits. */
  readonly nextDueInMs: number | null;
}

// As many attempts as an endpoint may have in progress.
const LEASED_OF_LISTENER_MAX = 100;
// A response has at least one delivery, however large.
const DATA_BYTES_MAX = 1024 * 1024;

interface LeasedRow {
  readonly secretSealed: Buffer;
  readonly nextDueInMs: number | null;
  readonly deliveryId: string | null;
  readonly attempt: number;
  readonly at: Date;
  readonly leasedUntil: Date;
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly data: string;
  readonly resourceId: string | null;
  readonly resourceVersion: number | null;
}

/** In the order in which they became due; postpones the listener's expiry. Null if there is no such listener, or it has expired. */
export async function leaseDeliveries(
  pool: Pool,
  { tenantId, listenerId }: ListenerId,
  { limit, leaseMs, sealing }: { limit: number; leaseMs: number; sealing: Sealing },
): Promise<Lease | null> {
  const [moved, leased] = await queryTogether(pool, [
    moveExpiry({ tenantId, listenerId }),
    lease({ tenantId, listenerId }, limit, leaseMs),
  ]);
  const [listener] = (moved?.rows ?? []) as { hasExpired: boolean }[];
  if (listener === undefined || listener.hasExpired) return null;
  const rows = (leased?.rows ?? []) as LeasedRow[];
  return {
    leased: signed(rows, { tenantId, listenerId }, sealing),
    nextDueInMs: rows[0]?.nextDueInMs ?? null,
  };
}

function signed(
  rows: readonly LeasedRow[],
  { tenantId, listenerId }: ListenerId,
  sealing: Sealing,
): LeasedDelivery[] {
  const [first] = rows;
  if (first === undefined || first.deliveryId === null) return [];
  const keys = signingKeys(openSecret(first.secretSealed, sealing, tenantId, listenerId));
  return rows.flatMap(({ deliveryId, at, leasedUntil, ...row }) => {
    if (deliveryId === null) return [];
    const { attempt } = row;
    const occurredAt = row.occurredAt.toISOString();
    const facts = { ...row, tenantId, deliveryId, occurredAt, replayId: null };
    return [
      { deliveryId, attempt, leaseId: leaseIdOf(at), leasedUntil, ...signedRequest(facts, at, { keys }) },
    ];
  });
}

/** Names one lease of a delivery: no two begin at the same time, because each ends before the next begins. */
export function leaseIdOf(leasedAt: Date): string {
  return leasedAt.getTime().toString(36);
}

// This row lock makes leases of one listener wait for each other, so that the next statement sees everything that is leased.
const moveExpiry = ({ tenantId, listenerId }: ListenerId) =>
  toStatement(sql`
  update listeners set expires_at = now() + expires_in_hours * interval '1 hour'
   where tenant_id = ${tenantId} and subscription_id = ${listenerId}
  returning has_expired as "hasExpired"`);

// Leases a delivery as dispatch claims one (`claim-waiting.ts`), but it remains `waiting`: its lock is the lease, and `enqueued_at`
// is the time of the latest lease, at which the request was signed. Found rows are updated by their place in the table. With each
// lookup's order, only one index fits.
const lease = ({ tenantId, listenerId }: ListenerId, limit: number, leaseMs: number) =>
  toStatement(sql`
  with listener as materialized (
    select secret_sealed, least(now(), after_created_at) as due_until,
           greatest(0, least(${limit}, ${sql.lit(LEASED_OF_LISTENER_MAX)} - (
             select count(*) from (
               select from deliveries
                where tenant_id = ${tenantId} and subscription_id = ${listenerId} and queue_state = 'waiting' and locked_until > now()
                order by tenant_id, subscription_id, locked_until
                limit ${sql.lit(LEASED_OF_LISTENER_MAX)}) leased))) as room,
           (select extract(epoch from next_attempt_at - now())::float * 1000 from deliveries
             where tenant_id = ${tenantId} and subscription_id = ${listenerId} and queue_state = 'waiting' and status in ('pending', 'retrying')
               and next_attempt_at > now()
             order by ${sql.raw(IN_TURN)} limit 1) as next_due_in_ms
      from subscriptions
      left join reconciliations on reconciliations.tenant_id = ${tenantId} and reconciliations.subscription_id = ${listenerId}
     where subscriptions.tenant_id = ${tenantId} and subscriptions.id = ${listenerId} and url is null and active
  ), due as materialized (
    select ctid as tid, id, event_id, next_attempt_at
      from deliveries
     where tenant_id = ${tenantId} and subscription_id = ${listenerId} and queue_state = 'waiting' and status in ('pending', 'retrying')
       and next_attempt_at <= (select due_until from listener) and (locked_until is null or locked_until < now())
     order by ${sql.raw(IN_TURN)}
     limit (select coalesce(max(room), 0) from listener)
       for no key update skip locked
  ), sized as (
    select due.tid, event.*, row_number() over by_turn as position,
           sum(octet_length(event.data)) over by_turn as bytes
      from due
     cross join lateral (
       select occurred_at, data::text as data, resource_id, resource_version from events
        where events.tenant_id = ${tenantId} and events.id = due.event_id
        limit 1
     ) event
    window by_turn as (order by next_attempt_at, due.id rows unbounded preceding)
  ), leased as (
    update deliveries
       set locked_until = now() + ${leaseMs} * interval '1 ms', enqueued_at = date_trunc('milliseconds', clock_timestamp()),
           leased_again = locked_until is not null
      from sized
     where deliveries.ctid = sized.tid and (bytes <= ${sql.lit(DATA_BYTES_MAX)} or position = 1)
    returning deliveries.id as "deliveryId", deliveries.attempt_count + 1 as attempt, deliveries.enqueued_at as at,
              deliveries.locked_until as "leasedUntil", deliveries.event_id as "eventId", deliveries.type,
              sized.occurred_at as "occurredAt", sized.data, sized.resource_id as "resourceId",
              sized.resource_version as "resourceVersion", sized.position
  )
  select secret_sealed as "secretSealed", next_due_in_ms as "nextDueInMs", leased.* from listener left join leased on true order by position`);
