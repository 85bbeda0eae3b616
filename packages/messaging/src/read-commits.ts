// Reads committed events from the relay's tables, for `ops verify` and `ops events find`.
import { type QueryExecutorProvider, sql } from "kysely";
import { REPLAYED_DAYS } from "./replay.ts";

export interface Commits {
  readonly tenantId: string;
  readonly committed: number;
  /** Not published yet, including the parked ones. */
  readonly outbox: number;
  readonly parkedCount: number;
  readonly parked: readonly string[];
  /** The ids of events published before the grace period, in ascending order, 16 bytes each. */
  readonly published: Buffer;
  readonly justPublished: Buffer;
  readonly unpublished: Buffer;
}

/** Every service retains the events published since this time. */
export function publishedRetainedSince(now: Date): Date {
  return new Date(now.getTime() - REPLAYED_DAYS * 24 * 60 * 60 * 1_000);
}

/**
 * Reads the events of `types` committed since `since`, one row per tenant, in one consistent snapshot. `db` must act as the owner
 * of a service's database. During a replay, published events may still be on their way to their consumers.
 */
export async function readCommits(
  db: QueryExecutorProvider,
  {
    types,
    since,
    graceMs,
    idsMax,
  }: { types: readonly string[]; since: Date; graceMs: number; idsMax: number },
): Promise<{ isReplaying: boolean; tenants: Commits[] }> {
  const { rows } = await sql<Commits & { isReplaying: boolean }>`
    with event as (
      select tenant_id, event_id, parked_at, null::timestamptz as published_at
        from outbox where type = any(${types}::text[]) and occurred_at >= ${since}
       union all
      select tenant_id, event_id, null, published_at
        from published_events
       where type = any(${types}::text[]) and occurred_at >= ${since} and published_at >= ${since}
    ), tenant as (
      select tenant_id,
             count(*)::float as committed,
             count(*) filter (where published_at is null)::float as outbox,
             count(parked_at)::float as parked_count,
             (array_agg(event_id order by event_id) filter (where parked_at is not null))[1:${idsMax}::integer] as parked,
             string_agg(uuid_send(event_id), ''::bytea order by event_id)
               filter (where published_at < now() - ${graceMs} * interval '1 ms') as published,
             string_agg(uuid_send(event_id), ''::bytea order by event_id)
               filter (where published_at >= now() - ${graceMs} * interval '1 ms') as just_published,
             string_agg(uuid_send(event_id), ''::bytea order by event_id) filter (where published_at is null) as unpublished
        from event
       group by tenant_id
    )
    -- The left join returns isReplaying also when there are no events.
    select exists (select from replay) as "isReplaying", tenant_id as "tenantId", committed, outbox,
           parked_count as "parkedCount", coalesce(parked, '{}') as parked, coalesce(published, '') as published,
           coalesce(just_published, '') as "justPublished", coalesce(unpublished, '') as unpublished
      from (select) as always left join tenant on true`.execute(db);
  const isReplaying = rows[0]?.isReplaying ?? false;
  return { isReplaying, tenants: rows.filter(({ tenantId }) => tenantId !== null) };
}

export interface CommittedEvent {
  readonly eventId: string;
  readonly tenantId: string;
  readonly type: string;
  readonly occurredAt: Date;
  readonly state: "outbox" | "published";
  /** Set aside because the event cannot be published. */
  readonly isParked: boolean;
  /** The error of the last attempt, for an event in the outbox. */
  readonly lastError: string | null;
}

/**
 * Returns the newest events whose id or resource's id is `id`, in the order of their commits. `db` must act as the owner of a service's
 * database. An event that a relay is moving is found once.
 */
export async function findEvents(
  db: QueryExecutorProvider,
  { id, tenantId = null, limit }: { id: string; tenantId?: string | null | undefined; limit: number },
): Promise<CommittedEvent[]> {
  const isOfTenant = sql`(${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)`;
  // One branch per index. `union` removes duplicates, because a resource may have the id of an event.
  const { rows } = await sql<CommittedEvent>`
    with event as (
      (select id, event_id, tenant_id, type, occurred_at, 'outbox' as state, parked_at is not null as is_parked, last_error
         from outbox where event_id = ${id} and ${isOfTenant})
       union
      (select id, event_id, tenant_id, type, occurred_at, 'outbox', parked_at is not null, last_error
         from outbox where aggregate_id = ${id} and ${isOfTenant}
        order by id desc limit ${limit})
       union
      (select id, event_id, tenant_id, type, occurred_at, 'published', false, null
         from published_events where event_id = ${id} and ${isOfTenant})
       union
      (select id, event_id, tenant_id, type, occurred_at, 'published', false, null
         from published_events where aggregate_id = ${id} and ${isOfTenant}
        order by id desc limit ${limit})
    )
    select event_id as "eventId", tenant_id as "tenantId", type, occurred_at as "occurredAt", state,
           is_parked as "isParked", last_error as "lastError"
      from (select * from event order by id desc limit ${limit}) as newest
     order by id`.execute(db);
  return rows;
}
