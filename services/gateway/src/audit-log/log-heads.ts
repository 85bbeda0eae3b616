// Writes the head of each audit log that has grown to the operator's log, once a day. A log that was cut or written again since then
// does not lead there any more (interface §25).
import { type Logger, repeatOrWarn } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

const CHECK_EVERY_MS = 60 * 60 * 1_000;
const BATCH = 1_000;
const NEXT_BATCH_MS = 1_000;

export function startLoggingHeads(db: Kysely<Tables>, logger: Logger) {
  return repeatOrWarn(logger, "heads of audit logs were not logged; retrying", CHECK_EVERY_MS, async () =>
    (await logHeads(db, logger)) < BATCH ? CHECK_EVERY_MS : NEXT_BATCH_MS,
  );
}

/** Of two processes one logs a head. */
export async function logHeads(db: Kysely<Tables>, logger: Logger): Promise<number> {
  const { rows } = await sql<{ tenantId: string; n: string; hash: string }>`
    update audit_heads set logged_n = n, logged_on = (now() at time zone 'utc')::date
     where tenant_id in (select tenant_id from audit_heads
                          where n > logged_n and logged_on is distinct from (now() at time zone 'utc')::date
                          limit ${BATCH} for update skip locked)
    returning tenant_id as "tenantId", n, encode(hash, 'hex') as hash`.execute(db);
  for (const { tenantId, n, hash } of rows)
    logger.info({ tenantId, n: Number(n), hash }, "head of an audit log");
  return rows.length;
}
