// Deletes files that belong to no asset: of deleted assets, and of uploads that failed or whose process died.
import type { TenantDatabases, TenantStatements } from "@tradepost/postgres";
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";
import { sql } from "kysely";
import type { Pool } from "pg";
import type { Storage } from "../storage/storage.ts";
import type { Tables } from "../tables.ts";
import { folderOf } from "./media.ts";

const POLL_EVERY_MS = 10_000;
const BATCH_MAX = 100;
const POSTPONED_SECONDS = 60;

interface Leftover {
  readonly tenantId: string;
  readonly mediaId: string;
  /** When the row was read, as Postgres writes it: a Date would lose the microseconds. */
  readonly asOf: string;
}

/**
 * The role of `workers` may find and delete due rows of `storage_leftovers`. The files are deleted before their row, so
 * after a crash they are deleted again. Two replicas may delete the same files; that does no harm.
 */
export function startJanitor(options: {
  workers: Pool;
  tenants: TenantDatabases<Tables>;
  storage: Storage;
  logger: Logger;
}): Repetition {
  const { workers, tenants, storage, logger } = options;

  /** Returns how many were due, whether deleted or postponed. */
  async function deleteDue(): Promise<number> {
    const { rows } = await workers.query<Leftover>(FIND_DUE);
    for (const { tenantId, mediaId, asOf } of rows) {
      try {
        await storage.deleteFolder(folderOf(tenantId, mediaId));
        await workers.query(DELETE_ROW, [tenantId, mediaId, asOf]);
      } catch (error) {
        logger.warn({ err: error, tenantId, mediaId }, "leftover files not deleted; retrying");
        await postpone(tenants.of(tenantId), mediaId);
      }
    }
    return rows.length;
  }

  return repeat(async () => {
    const foundCount = await deleteDue().catch((error: unknown) => {
      logger.warn({ err: error }, "looking for leftover files failed; retrying");
      return 0;
    });
    return foundCount === BATCH_MAX ? 0 : POLL_EVERY_MS;
  });
}

const FIND_DUE = `
  select tenant_id as "tenantId", media_id as "mediaId", now()::text as "asOf"
    from storage_leftovers
   where remove_at <= now()
   order by remove_at
   limit ${BATCH_MAX}`;

// A row that became due after it was read may be about newer files, too. It remains for the next poll.
const DELETE_ROW = `
  delete from storage_leftovers where tenant_id = $1 and media_id = $2 and remove_at <= $3::timestamptz`;

/** Moves the row to the end of the order; otherwise 100 rows that always fail would hide all others. */
async function postpone({ db, tenantId }: TenantStatements<Tables>, mediaId: string): Promise<void> {
  await db
    .updateTable("storage_leftovers")
    .set({ remove_at: sql<Date>`now() + ${POSTPONED_SECONDS} * interval '1 second'` })
    .where("tenant_id", "=", tenantId)
    .where("media_id", "=", mediaId)
    .where("remove_at", "<=", sql<Date>`now()`)
    .execute();
}
