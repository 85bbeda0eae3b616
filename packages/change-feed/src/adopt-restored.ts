// Adopts the events that came from another server, with a restored backup or a copy made by pg_dump. Their transaction ids may be
// higher than any that this server has assigned, and the feed would hide such events. They get the id of the transaction that
// adopts them and keep the order of their numbers. A reader whose cursor is older then finds all of them; a cursor that is ahead
// of the server gets 410.
import { inTransaction, withoutTimeouts } from "@tradepost/postgres";
import { type Logger, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";

const CHECK_EVERY_MS = 60 * 60_000;
const RETRY_EVERY_MS = 1_000;
// The newest events show whether the table was restored. Scanning all events would take minutes.
const NEWEST_ROWS_MAX = 1_000;

/** Adopts such events at once, and then once an hour, until stopped. Failures are logged and retried. */
export function startAdoptingRestored(pool: Pool, logger: Logger) {
  return repeat(async () => {
    try {
      const { rows } = await pool.query<{ isRestored: boolean }>(FIND_RESTORED);
      if (rows[0]?.isRestored) {
        // The statement may have to update every event, so it runs without timeouts.
        await inTransaction(pool, (client) => withoutTimeouts(client, () => client.query(ADOPT_RESTORED)));
        logger.warn("the events of a restored database were adopted");
        // A relay may have moved an event meanwhile, so check again soon.
        return RETRY_EVERY_MS;
      }
      return CHECK_EVERY_MS;
    } catch (error) {
      logger.warn({ err: error }, "could not look for events of a restored database; retrying");
      return RETRY_EVERY_MS;
    }
  });
}

const HAS_FUTURE_XID = "xid >= pg_snapshot_xmax(pg_current_snapshot())";

const FIND_RESTORED = `
  select coalesce(bool_or(${HAS_FUTURE_XID}), false) as "isRestored"
    from (select xid from outbox
          union all
          (select xid from published_events order by published_at desc, id desc limit ${NEWEST_ROWS_MAX})) as newest`;

// Adopts all events in one transaction. Published events have lower numbers than the events still in the outbox, so they keep
// their order.
export const ADOPT_RESTORED = `
  with published as (update published_events set xid = pg_current_xact_id() where ${HAS_FUTURE_XID})
  update outbox set xid = pg_current_xact_id() where ${HAS_FUTURE_XID}`;
