// The metric `events_unaccounted`: recent events that have fewer deliveries than they matched. Always 0 on a sound system,
// for an event and its deliveries are committed together; looked for at each scrape, through indexes alone.
import { inTransaction } from "@tradepost/postgres";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Pool } from "pg";
import { firstIdAt } from "./first-id.ts";

const OLDEST_MS = 15 * 60 * 1_000;
const YOUNGEST_MS = 30 * 1_000;
// The clocks of whoever made the ids, and of the database, differ by less.
const CLOCKS_DIFFER_MS = 10 * 60 * 1_000;
// A scrape must not cost more than it tells.
const STATEMENT_TIMEOUT_MS = 2_000;

/**
 * Left to `ops verify`: events that came here more than a quarter of an hour after they happened, and those of tenants
 * who have no subscription any more.
 */
export function watchUnaccounted(options: { pool: Pool; metrics: Metrics; logger: Logger }): void {
  const { pool, metrics, logger } = options;
  const help =
    "Events of the last 15 minutes, but for the last 30 seconds, with fewer deliveries than they matched; NaN where that could not be told in time.";
  metrics.gauge("events_unaccounted", help, [], async (gauge) => {
    try {
      gauge.set(await countUnaccounted(pool, Date.now()));
    } catch (error) {
      logger.warn({ err: error }, "events that are unaccounted for could not be counted");
      gauge.set(Number.NaN);
    }
  });
}

// Tenants first, since every index begins with them. What is over is found by when it was made: with its event.
const COUNT_UNACCOUNTED = `
  with tenant as (
    select distinct tenant_id from subscriptions
  ), event as materialized (
    select recent.*
      from tenant
     cross join lateral (
       select tenant_id, id, matched from events
        where events.tenant_id = tenant.tenant_id and id >= $1 and id < $2 and matched > 0
     ) recent
  ), over as (
    select tenant_id, event_id, count(*) as count
      from (select distinct tenant_id from event) tenant
     cross join lateral (
       select event_id from delivery_log
        where delivery_log.tenant_id = tenant.tenant_id and created_at >= $3 and completed_at >= $3
     ) ended
     group by tenant_id, event_id
  )
  select count(*)
    from event
    left join over on over.tenant_id = event.tenant_id and over.event_id = event.id
   where matched > coalesce(over.count, 0)
     and matched > coalesce(over.count, 0) + (select count(*) from deliveries
                                               where deliveries.tenant_id = event.tenant_id
                                                 and deliveries.event_id = event.id)`;

async function countUnaccounted(pool: Pool, now: number): Promise<number> {
  return await inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    const { rows } = await client.query<{ count: string }>(COUNT_UNACCOUNTED, [
      firstIdAt(new Date(now - OLDEST_MS)),
      firstIdAt(new Date(now - YOUNGEST_MS)),
      new Date(now - OLDEST_MS - CLOCKS_DIFFER_MS),
    ]);
    return Number(rows[0]?.count);
  });
}
