// The metric `events_unaccounted`: recent events with fewer deliveries than they matched. It should always be 0, since both are
// committed together. Each scrape counts through indexes.
import type { Logger, Metrics } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import { ids } from "../delivery/delivery.ts";
import type { Tables } from "../tables.ts";

const OLDEST_MS = 15 * 60 * 1_000;
const YOUNGEST_MS = 30 * 1_000;
const CLOCKS_DIFFER_MS = 10 * 60 * 1_000;
const STATEMENT_TIMEOUT_MS = 2_000;

/** Misses late events, and those of tenants who have deleted all their subscriptions. `ops verify` finds both. */
export function watchUnaccounted(options: { db: Kysely<Tables>; metrics: Metrics; logger: Logger }): void {
  const { db, metrics, logger } = options;
  const help =
    "Events of the last 15 minutes, except the last 30 seconds, with fewer deliveries than they matched.";
  metrics.gauge("events_unaccounted", help, [], async (gauge) => {
    try {
      gauge.set(await countUnaccounted(db, Date.now()));
    } catch (error) {
      logger.warn({ err: error }, "could not count unaccounted events");
      throw error;
    }
  });
}

async function countUnaccounted(db: Kysely<Tables>, now: number): Promise<number> {
  const firstId = ids.firstIdAt(new Date(now - OLDEST_MS));
  const endId = ids.firstIdAt(new Date(now - YOUNGEST_MS));
  const createdSince = new Date(now - OLDEST_MS - CLOCKS_DIFFER_MS);
  return await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(STATEMENT_TIMEOUT_MS)}`.execute(tx);
    // By tenant first, like every index. Ended deliveries are found by their time of creation, which is close to their event's.
    const { rows } = await sql<{ count: string }>`
      with tenant as (
        select distinct tenant_id from subscriptions
      ), event as materialized (
        select recent.*
          from tenant
         cross join lateral (
           select tenant_id, id, matched from events
            where events.tenant_id = tenant.tenant_id and id >= ${firstId} and id < ${endId} and matched > 0
         ) recent
      ), ended as (
        select tenant_id, event_id, count(*) as count
          from (select distinct tenant_id from event) tenant
         cross join lateral (
           select event_id from delivery_log
            where delivery_log.tenant_id = tenant.tenant_id and created_at >= ${createdSince} and completed_at >= ${createdSince}
         ) found
         group by tenant_id, event_id
      )
      select count(*)
        from event
        left join ended on ended.tenant_id = event.tenant_id and ended.event_id = event.id
       where matched > coalesce(ended.count, 0)
         and matched > coalesce(ended.count, 0) + (select count(*) from deliveries
                                                   where deliveries.tenant_id = event.tenant_id
                                                     and deliveries.event_id = event.id)`.execute(tx);
    return Number(rows[0]?.count);
  });
}
