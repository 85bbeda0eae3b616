// Deletes idempotency records older than 24 hours in the background, in batches.
import { type Logger, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";

const PERIOD_MS = 60_000;
const BATCH_ROWS_MAX = 1_000;

/** `pool` must act as a role that may delete every tenant's records. Runs at once, then every minute, until `stop`. */
export function startDeletingExpiredRecords(pool: Pool, logger: Logger) {
  return repeat(async () => {
    try {
      const { rowCount } = await pool.query(DELETE_EXPIRED);
      return rowCount === BATCH_ROWS_MAX ? 0 : PERIOD_MS;
    } catch (error) {
      logger.warn({ err: error }, "expired idempotency records could not be deleted; retrying");
      return PERIOD_MS;
    }
  });
}

// The rows are not locked: `for update` needs the right to update, which the role does not have. If two replicas choose the same
// rows, the second waits for the first and then deletes nothing.
const DELETE_EXPIRED = `
  delete from idempotency_records
   where ctid = any(array(
     select ctid from idempotency_records where created_at <= now() - interval '24 hours'
      order by created_at limit ${BATCH_ROWS_MAX}))`;
