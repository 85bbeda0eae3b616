// Deletes sessions a week after they ended or expired. Until then, someone who investigates a stolen session finds its
// address here and its actions in the audit log. Sign-ins whose code never came are deleted when they expire.
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../tables.ts";
import { deleteExpiredSignIns } from "./unfinished-sign-in.ts";

const KEEP_DAYS = 7;
const BATCH = 1_000;
const CHECK_EVERY_MS = 10 * 60 * 1_000;
// The pause between two batches, so that deleting a backlog does not slow down requests.
const NEXT_BATCH_MS = 100;

/** Deletes at most one batch, beginning with the sessions that have been over longest. Resolves with their number. */
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
      const expiredCount = await deleteExpiredSignIns(db, BATCH);
      if (count > 0) logger.info({ count }, "old sessions deleted");
      return Math.max(count, expiredCount) < BATCH ? CHECK_EVERY_MS : NEXT_BATCH_MS;
    } catch (error) {
      logger.warn({ err: error }, "old sessions could not be deleted; retrying");
      return CHECK_EVERY_MS;
    }
  });
}
