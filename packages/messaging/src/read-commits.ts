// Reads from the relay's tables which events a service has committed since a given time, per tenant, for `ops verify`.
import { type QueryExecutorProvider, sql } from "kysely";
import { REPLAYED_DAYS } from "./replay.ts";

export interface Commits {
  readonly tenantId: string;
  readonly committed: number;
  /** Events not published yet, including the parked ones. */
  readonly outbox: number;
  /** Events that cannot be published. */
  readonly parkedCount: number;
  readonly parked: readonly string[];
  /** The ids of events published before the grace period, 16 bytes each, in ascending order. */
  readonly published: Buffer;
  /** The ids of events published within the grace period, in the same form. */
  readonly justPublished: Buffer;
  /** The ids of events not published yet, in the same form. */
  readonly unpublished: Buffer;
}

/** Every service retains all events that were published since this time. */
export function publishedRetainedSince(now: Date): Date {
  return new Date(now.getTime() - REPLAYED_DAYS * 24 * 60 * 60 * 1_000);
}

/**
 * Reads the events of `types` committed since `since`, one row per tenant, in one consistent snapshot. `db` must act as the owner
 * of a service's database. Up to `idsMax` parked ids are listed. During a replay (`isReplaying`), published events may still be on
 * their way to their consumers.
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
