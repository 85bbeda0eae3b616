// Deletes the idempotency records that are older than they are kept, in the background, a batch at a time.
import { type Logger, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";

const PERIOD_MS = 60_000;
const BATCH_ROWS_MAX = 1_000;

// Nothing is locked to be chosen, which would take the right to update. What another replica is deleting is waited for,
// and is gone then.
const CLEAR = `
  delete from idempotency_records
   where ctid = any(array(
     select ctid from idempotency_records where created_at <= now() - interval '24 hours'
      order by created_at limit ${BATCH_ROWS_MAX}))`;

/** In: a pool whose role may delete every tenant's records. Clears at once, then once a minute; `stop` ends it. */
export function startClearing(pool: Pool, logger: Logger) {
  return repeat(async () => {
    try {
      const { rowCount } = await pool.query(CLEAR);
      return rowCount === BATCH_ROWS_MAX ? 0 : PERIOD_MS;
    } catch (error) {
      logger.warn({ err: error }, "expired idempotency records could not be deleted; trying again");
      return PERIOD_MS;
    }
  });
}
