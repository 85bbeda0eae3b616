// Claims deliveries that wait in Postgres: a claim locks a delivery until `locked_until`.
import { namedStatement, rowsAs, toStatement } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { IN_TURN } from "../statement-parts.ts";
import {
  CLAIM_PARAMETERS,
  type Claim,
  type ClaimedDelivery,
  type ClaimedRow,
  claimed,
  type EventOfDelivery,
  type Reserved,
  wantedColumns,
} from "./claimed.ts";
import { eventKey } from "./ids.ts";
import { type Job, jobColumns } from "./jobs.ts";

export type { AttemptedDelivery, ClaimedDelivery, ClaimedRow, HeldBy } from "./claimed.ts";

export async function claim(pool: Pool, wanted: Claim): Promise<ClaimedRow[]> {
  const { rows } = await pool.query<ClaimedRow>(claimUnrestrained(wanted));
  return rows;
}

/** What limits an endpoint in all replicas together. */
export interface Restraint {
  readonly heldMs: number | null;
  readonly inFlight: number;
  readonly inFlightMax: number | null;
  readonly perSecondMax: number | null;
  /** How far its attempts are ahead of their pace. */
  readonly owedMs: number;
}

/** Locks in the order of the ids, as everywhere, and before deliveries. */
export async function lockSubscriptions(
  client: PoolClient,
  reserved: readonly Reserved[],
  { skipsLocked }: { skipsLocked: boolean },
): Promise<Set<string>> {
  const { rows } = await client.query<{ id: string }>(
    toStatement(sql`
      select subscription.id
        from (select * from ${rowsAs("wanted", wantedColumns, reserved)} order by tenant_id, subscription_id) as wanted
       cross join lateral (
         select id from subscriptions
          where subscriptions.tenant_id = wanted.tenant_id and subscriptions.id = wanted.subscription_id
          limit 1
            for no key update ${sql.raw(skipsLocked ? "skip locked" : "")}) subscription`),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Run it after `lockSubscriptions`, to see what others have claimed. */
export async function findRestraints(client: PoolClient, reserved: readonly Reserved[]) {
  const { rows } = await client.query<Restraint & { readonly id: string; readonly wanted: number }>(
    toStatement(sql`
      with clock as materialized (select clock_timestamp() as at)
      select subscriptions.id, wanted.count as wanted, max_per_second as "perSecondMax",
             case when down_since is null then max_in_flight else 1 end as "inFlightMax",
             case when held_until > clock.at then extract(epoch from held_until - clock.at)::float * 1000 end as "heldMs",
             extract(epoch from greatest(paced_until, clock.at) - clock.at)::float * 1000 as "owedMs",
             (select count(*)::integer from deliveries
               where deliveries.tenant_id = subscriptions.tenant_id and deliveries.subscription_id = subscriptions.id
                 and queue_state = 'queued' and status in ('pending', 'retrying') and locked_until > clock.at) as "inFlight"
        from clock
       cross join ${rowsAs("wanted", wantedColumns, reserved)}
       cross join lateral (
         select * from subscriptions
          where subscriptions.tenant_id = wanted.tenant_id and subscriptions.id = wanted.subscription_id and active
            and url is not null
          limit 1
       ) subscriptions`),
  );
  return rows;
}

/**
 * Like `claim`, for endpoints whose subscriptions the transaction has locked. Also advances `paced_until` by the attempts, and removes
 * a hold that has ended.
 */
export async function claimAndPay(client: PoolClient, wanted: Claim): Promise<ClaimedRow[]> {
  const { rows } = await client.query<ClaimedRow>(claimRestrained(wanted));
  return rows;
}

/** Sorts the deliveries by id, which begins with their time. */
export async function withEvents(pool: Pool, rows: readonly ClaimedRow[]): Promise<ClaimedDelivery[]> {
  if (rows.length === 0) return [];
  const { rows: events } = await pool.query<
    Omit<EventOfDelivery, "occurredAt"> & { tenantId: string; id: string; occurredAt: Date }
  >(findEvents(rows));
  const byKey = new Map(events.map((event) => [eventKey(event.tenantId, event.id), event]));
  return rows
    .toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
    .flatMap((row) => {
      const event = byKey.get(eventKey(row.tenantId, row.eventId));
      // The retention keeps events of open deliveries; `ops verify` reports a delivery without its event.
      if (event === undefined) return [];
      const { tenantId: _, id: __, occurredAt, ...rest } = event;
      return [{ ...row, ...rest, occurredAt: occurredAt.toISOString() }];
    });
}

const claimUnrestrained = namedStatement<Claim>(
  `with ${claimed({ isRestrained: false })} select * from claimed`,
  CLAIM_PARAMETERS,
);

const claimRestrained = namedStatement<Claim>(
  `
  with ${claimed({ isRestrained: true })}, paid as (
    update subscriptions
       set held_until = null,
           paced_until = greatest(paced_until, clock_timestamp()) + made.count * interval '1 second' / max_per_second
      from (select "tenantId", "subscriptionId", count(*) as count from claimed group by 1, 2) made
     where subscriptions.tenant_id = made."tenantId" and subscriptions.id = made."subscriptionId"
  )
  select * from claimed`,
  CLAIM_PARAMETERS,
);

// With the ids as values, the planner reads only the partitions of their days.
const findEvents = namedStatement<readonly ClaimedRow[]>(
  `
  select tenant_id as "tenantId", id, occurred_at as "occurredAt", request_id as "requestId", traceparent, data::text as data,
         resource_id as "resourceId", resource_version as "resourceVersion"
    from events
   where tenant_id = any($event.tenant_ids::uuid[]) and id = any($event.ids::uuid[])`,
  {
    event: {
      tenant_ids: (rows) => [...new Set(rows.map(({ tenantId }) => tenantId))],
      ids: (rows) => [...new Set(rows.map(({ eventId }) => eventId))],
    },
  },
);

/**
 * Returns the ids of deliveries that are still claimed. Skips locked rows: they are being settled, or a change decides about the claim.
 * Waiting for them could deadlock.
 */
export async function renew(pool: Pool, attempts: readonly Job[], lockMs: number): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(
    toStatement(sql`
      with held as (
        select tid
          from ${rowsAs("held", jobColumns, attempts)}
         cross join lateral (
           select ctid as tid from deliveries
            where deliveries.tenant_id = held.tenant_id and deliveries.id = held.id
              and deliveries.generation = held.generation and deliveries.attempt_count = held.attempt - 1
              and locked_until is not null
            limit 1
              for no key update skip locked
         ) delivery
      )
      update deliveries set locked_until = now() + ${lockMs} * interval '1 ms'
        from held
       where deliveries.ctid = held.tid
      returning deliveries.id`),
  );
  return new Set(rows.map(({ id }) => id));
}

// As many attempts as an endpoint may have in progress.
const LEASED_OF_LISTENER_MAX = 100;
// A larger delivery is leased by itself.
const DATA_BYTES_MAX = 1024 * 1024;

export interface LeasedRow
  extends Pick<ClaimedDelivery, "attempt" | "eventId" | "type" | "data" | "resourceId" | "resourceVersion"> {
  readonly secretSealed: Buffer;
  readonly nextDueInMs: number | null;
  readonly deliveryId: string | null;
  readonly at: Date;
  readonly leasedUntil: Date;
  readonly occurredAt: Date;
}

/**
 * Leases deliveries as `claim` does, but they remain `waiting`: the lock is the lease, and `enqueued_at` is the time of the latest lease,
 * at which the request was signed. The transaction has locked the listener. Each lookup is ordered so that only one index fits.
 */
export const lease = (
  { tenantId, listenerId }: { readonly tenantId: string; readonly listenerId: string },
  limit: number,
  leaseMs: number,
) =>
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
