// Events that came from another server, with a backup that was restored or a copy made by pg_dump, have ids of transactions
// that this server has not had yet. The feed would hide them. They get the id of the transaction that adopts them instead, in the
// order of their numbers: a reader whose cursor is behind the server finds all of them after it, and a cursor that is ahead
// of the server is 410.
import { inTransaction, withoutTimeouts } from "@tradepost/postgres";
import { type Logger, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";

const DONE_MS = 60 * 60_000;
const RETRY_EVERY_MS = 1_000;
// The newest events tell whether the table was restored; looking at all of them would take minutes.
const NEWEST_ROWS = 1_000;

/** Adopts such events at once and then once an hour, until `stop`. */
export function startAdoptingRestored(pool: Pool, logger: Logger) {
  return repeat(async () => {
    try {
      const { rows } = await pool.query<{ isRestored: boolean }>(IS_RESTORED);
      if (rows[0]?.isRestored) {
        // All events may have to be written.
        await inTransaction(pool, (client) => withoutTimeouts(client, () => client.query(ADOPT_RESTORED)));
        logger.warn("the events of a restored database were adopted");
        // A relay may have moved an event meanwhile.
        return RETRY_EVERY_MS;
      }
      return DONE_MS;
    } catch (error) {
      logger.warn({ err: error }, "could not look for events of a restored database; retrying");
      return RETRY_EVERY_MS;
    }
  });
}

const IS_AHEAD = "xid >= pg_snapshot_xmax(pg_current_snapshot())";

const IS_RESTORED = `
  select coalesce(bool_or(${IS_AHEAD}), false) as "isRestored"
    from (select xid from outbox
          union all
          (select xid from published_events order by published_at desc, id desc limit ${NEWEST_ROWS})) as newest`;

// One transaction, so that the events that were waiting come after the published ones, as their numbers say.
export const ADOPT_RESTORED = `
  with published as (update published_events set xid = pg_current_xact_id() where ${IS_AHEAD})
  update outbox set xid = pg_current_xact_id() where ${IS_AHEAD}`;
