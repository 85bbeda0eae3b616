// What a service has committed since a time, by tenant, from the relay's own tables: what `ops verify` begins with.
import { type QueryExecutorProvider, sql } from "kysely";
import { DAYS_KEPT } from "./relay.ts";

export interface Commits {
  readonly tenantId: string;
  readonly committed: number;
  /** Not published yet; those among them that never will be of themselves stand in `parked` too. */
  readonly outbox: number;
  readonly parkedCount: number;
  readonly parked: readonly string[];
  /** The ids of what was published, 16 bytes each, in ascending order: before the grace, and within it. */
  readonly published: Buffer;
  readonly justPublished: Buffer;
}

/** How far back what was published can be told. */
export function publishedRetainedSince(now: Date): Date {
  return new Date(now.getTime() - DAYS_KEPT * 24 * 60 * 60 * 1_000);
}

/**
 * In: the service's database as its owner, which event types to count, since when, and the grace. Out: a row for each
 * tenant; and whether a replay is under way, in which case what was published may still be on its way. Both as of one
 * moment.
 */
export async function readCommits(
  db: QueryExecutorProvider,
  of: { types: readonly string[]; since: Date; graceMs: number; idsMax: number },
): Promise<{ isReplaying: boolean; tenants: Commits[] }> {
  const { rows } = await sql<Commits & { isReplaying: boolean }>`
    with event as (
      select tenant_id, event_id, parked_at, null::timestamptz as published_at
        from outbox where type = any(${of.types}::text[]) and occurred_at >= ${of.since}
       union all
      select tenant_id, event_id, null, published_at
        from published_events
       where type = any(${of.types}::text[]) and occurred_at >= ${of.since} and published_at >= ${of.since}
    ), tenant as (
      select tenant_id,
             count(*)::float as committed,
             count(*) filter (where published_at is null)::float as outbox,
             count(parked_at)::float as parked_count,
             (array_agg(event_id order by event_id) filter (where parked_at is not null))[1:${of.idsMax}::integer] as parked,
             string_agg(uuid_send(event_id), ''::bytea order by event_id)
               filter (where published_at < now() - ${of.graceMs} * interval '1 ms') as published,
             string_agg(uuid_send(event_id), ''::bytea order by event_id)
               filter (where published_at >= now() - ${of.graceMs} * interval '1 ms') as just_published
        from event
       group by tenant_id
    )
    select exists (select from replay) as "isReplaying", tenant_id as "tenantId", committed, outbox,
           parked_count as "parkedCount", coalesce(parked, '{}') as parked, coalesce(published, '') as published,
           coalesce(just_published, '') as "justPublished"
      from (select) as always left join tenant on true`.execute(db);
  const isReplaying = rows[0]?.isReplaying ?? false;
  return { isReplaying, tenants: rows.filter(({ tenantId }) => tenantId !== null) };
}
