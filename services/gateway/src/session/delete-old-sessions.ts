// Deletes sessions that ended or expired days ago. They are kept for a while so that whoever looks into a stolen session
// finds its address beside the audit log's entries.
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

const KEEP_DAYS = 7;
const BATCH = 1_000;
const LOOK_EVERY_MS = 10 * 60 * 1_000;
// Between two batches, so that a backlog does not keep the database from what people wait for.
const NEXT_BATCH_MS = 100;

/** Deletes at most one batch, those that are over longest first. Out: how many. */
export async function deleteOldSessions(db: Kysely<Tables>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sessions where (tenant_id, id) in (
      select tenant_id, id from sessions
       where least(ended_at, expires_at) < now() - ${KEEP_DAYS} * interval '1 day'
       order by least(ended_at, expires_at)
       limit ${BATCH}
         for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

export function startSessionCleanup(db: Kysely<Tables>, logger: Logger): Repetition {
  return repeat(async () => {
    try {
      const count = await deleteOldSessions(db);
      if (count > 0) logger.info({ count }, "old sessions deleted");
      return count < BATCH ? LOOK_EVERY_MS : NEXT_BATCH_MS;
    } catch (error) {
      logger.warn({ err: error }, "old sessions could not be deleted; trying again later");
      return LOOK_EVERY_MS;
    }
  });
}
