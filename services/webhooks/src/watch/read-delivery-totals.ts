// Counts each tenant's events since a time, their deliveries by status, and the events with a wrong number of deliveries. Reads day by
// day, so that no value grows with the period, in one snapshot, so that all counts match.
import { type Kysely, type RawBuilder, sql } from "kysely";
import { ids } from "../delivery/delivery.ts";
import type { Tables } from "../tables.ts";

/** Older events have no `matched`: their deliveries are counted. */
const COUNTS = [
  "matched",
  "delivered",
  "failed",
  "paused",
  "cancelled",
  "inFlight",
  "mismatchedCount",
] as const;
type Counts = Readonly<Record<(typeof COUNTS)[number], number>>;

export interface DeliveryTotals extends Counts {
  readonly tenantId: string;
  /** The ids of the tenant's events, except tests: 16 bytes each, in ascending order. */
  readonly known: Buffer;
  readonly mismatched: readonly string[];
}

const CLOCKS_DIFFER_MS = 60 * 60 * 1_000;
const PORTION_MS = 24 * 60 * 60 * 1_000;

/** `since` must be within the retention of the log: deliveries dropped with their day would seem lost. */
export async function readDeliveryTotals(
  db: Kysely<Tables>,
  since: Date,
  idsMax: number,
): Promise<DeliveryTotals[]> {
  const portions = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (tx) => {
      const read: DeliveryTotals[] = [];
      for (const statement of totalsStatements(since, idsMax, new Date()))
        read.push(...(await statement.execute(tx)).rows);
      return read;
    });
  return [...Map.groupBy(portions, ({ tenantId }) => tenantId).values()].map((ofOne) =>
    merged(ofOne, idsMax),
  );
}

/** One for events whose ids contain no time, then one for each day. */
export function totalsStatements(since: Date, idsMax: number, now: Date): RawBuilder<DeliveryTotals>[] {
  const first = new Date(since.getTime() - CLOCKS_DIFFER_MS);
  const firstDay = Math.floor(first.getTime() / PORTION_MS);
  const days = Math.floor(now.getTime() / PORTION_MS) - firstDay;
  const midnights = Array.from({ length: days }, (_, index) => new Date((firstDay + index + 1) * PORTION_MS));
  const byDay = [first, ...midnights].map((from, index) => {
    const before = midnights[index];
    const events = idsWithin("id", from, before);
    return totalsOf(since, idsMax, { events, deliveries: deliveriesOfDay(from, before) });
  });
  return [untimedStatement(since, idsMax, first), ...byDay];
}

function idsWithin(column: string, from: Date, before: Date | undefined): RawBuilder<unknown> {
  const start = sql`${sql.ref(column)} >= ${ids.firstIdAt(from)}`;
  return before === undefined ? start : sql`${start} and ${sql.ref(column)} < ${ids.firstIdAt(before)}`;
}

/** By tenant, because indexes begin with it. */
function deliveriesOfDay(from: Date, before: Date | undefined): RawBuilder<unknown> {
  const ids = idsWithin("event_id", from, before);
  return sql`
    select tenant.tenant_id, of_one.event_id, of_one.status
      from (select distinct tenant_id from event) tenant
     cross join lateral (
       select event_id, status from deliveries where tenant_id = tenant.tenant_id and ${ids}
        union all
       select event_id, status from delivery_log
        where tenant_id = tenant.tenant_id and ${ids} and completed_at >= ${new Date(from.getTime() - CLOCKS_DIFFER_MS)}
     ) of_one`;
}

function untimedStatement(since: Date, idsMax: number, first: Date): RawBuilder<DeliveryTotals> {
  return totalsOf(since, idsMax, {
    events: sql`id < ${ids.firstIdAt(first)}`,
    deliveries: sql`
      select event.tenant_id, event.id as event_id, of_one.status
        from event
       cross join lateral (
         select status from deliveries where tenant_id = event.tenant_id and event_id = event.id
          union all
         select status from delivery_log
          where tenant_id = event.tenant_id and event_id = event.id and completed_at >= ${first}
       ) of_one`,
    isUntimed: true,
  });
}

function totalsOf(
  since: Date,
  idsMax: number,
  {
    events,
    deliveries,
    isUntimed = false,
  }: { events: RawBuilder<unknown>; deliveries: RawBuilder<unknown>; isUntimed?: boolean },
): RawBuilder<DeliveryTotals> {
  return sql<DeliveryTotals>`
    with event as materialized (
      select tenant_id, id, matched, is_test from ${sql.table(isUntimed ? "events_other" : "events")}
       where ${events} and occurred_at >= ${since}
    ), delivery as (${deliveries}
    ), made as (
      select tenant_id, event_id as id, count(*) as count,
             count(*) filter (where status = 'delivered') as delivered,
             count(*) filter (where status = 'failed') as failed,
             count(*) filter (where status = 'paused') as paused,
             count(*) filter (where status = 'cancelled') as cancelled,
             count(*) filter (where status in ('pending', 'retrying')) as in_flight
        from delivery
       group by tenant_id, event_id
    )
    select tenant_id as "tenantId",
           coalesce(string_agg(uuid_send(id), ''::bytea order by id) filter (where not is_test), '') as known,
           coalesce(sum(coalesce(matched, made.count)), 0)::float as matched,
           coalesce(sum(delivered), 0)::float as delivered,
           coalesce(sum(failed), 0)::float as failed,
           coalesce(sum(paused), 0)::float as paused,
           coalesce(sum(cancelled), 0)::float as cancelled,
           coalesce(sum(in_flight), 0)::float as "inFlight",
           count(*) filter (where matched <> coalesce(made.count, 0))::float as "mismatchedCount",
           coalesce((array_agg(id order by id) filter (where matched <> coalesce(made.count, 0)))[1:${idsMax}::integer],
                    '{}') as mismatched
      from event left join made using (tenant_id, id)
     group by tenant_id`;
}

function merged(portions: readonly DeliveryTotals[], idsMax: number): DeliveryTotals {
  const sums = COUNTS.map((name) => [name, portions.reduce((sum, one) => sum + one[name], 0)]);
  return {
    tenantId: portions[0]?.tenantId ?? "",
    known: Buffer.concat(portions.map(({ known }) => known)),
    ...(Object.fromEntries(sums) as Counts),
    mismatched: portions.flatMap(({ mismatched }) => mismatched).slice(0, idsMax),
  };
}
