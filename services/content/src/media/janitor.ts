// Deletes the files of deleted assets and tenants, and of failed uploads.
import type { TenantDatabases } from "@tradepost/postgres";
import { type Logger, type Repetition, repeatOrWarn } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables, Tenant } from "../tables.ts";
import { folderOf } from "./media-resource.ts";
import type { Storage } from "./storage/storage.ts";

const POLL_EVERY_MS = 10_000;
const BATCH_MAX = 100;
const POSTPONED_SECONDS = 60;
/** In place of an asset's id, stands for all files of a deleted tenant. */
export const ALL_FILES = "00000000-0000-0000-0000-000000000000";

/**
 * The role of `db` may find and delete due rows of `storage_leftovers`. Files are deleted before their row. After a crash, or by
 * two replicas, they are deleted again, which does no harm.
 */
export function startJanitor(options: {
  db: Kysely<Tables>;
  tenants: TenantDatabases<Tables>;
  storage: Storage;
  logger: Logger;
}): Repetition {
  const { db, tenants, storage, logger } = options;

  return repeatOrWarn(logger, "looking for leftover files failed; retrying", POLL_EVERY_MS, async () => {
    const due = await findDue(db);
    for (const leftover of due) {
      const { tenantId, mediaId } = leftover;
      try {
        await storage.deleteFolder(mediaId === ALL_FILES ? tenantId : folderOf(tenantId, mediaId));
        await deleteRow(db, leftover);
      } catch (error) {
        logger.warn({ err: error, tenantId, mediaId }, "leftover files not deleted; retrying");
        await postpone(tenants.of(tenantId), mediaId);
      }
    }
    return due.length === BATCH_MAX ? 0 : POLL_EVERY_MS;
  });
}

/** `asOf` is as Postgres writes it: a Date would lose the microseconds. */
async function findDue(db: Kysely<Tables>) {
  return await db
    .selectFrom("storage_leftovers")
    .select(["tenant_id as tenantId", "media_id as mediaId", sql<string>`now()::text`.as("asOf")])
    .where("remove_at", "<=", sql<Date>`now()`)
    .orderBy("remove_at")
    .limit(BATCH_MAX)
    .execute();
}

type Due = Awaited<ReturnType<typeof findDue>>[number];

/** A row that became due again may be about newer files. */
async function deleteRow(db: Kysely<Tables>, { tenantId, mediaId, asOf }: Due): Promise<void> {
  await db
    .deleteFrom("storage_leftovers")
    .where("tenant_id", "=", tenantId)
    .where("media_id", "=", mediaId)
    .where("remove_at", "<=", sql<Date>`${asOf}::timestamptz`)
    .execute();
}

/** Without this, 100 rows that always fail would hide all others. */
async function postpone({ db, tenantId }: Tenant, mediaId: string): Promise<void> {
  await db
    .updateTable("storage_leftovers")
    .set({ remove_at: sql<Date>`now() + ${POSTPONED_SECONDS} * interval '1 second'` })
    .where("tenant_id", "=", tenantId)
    .where("media_id", "=", mediaId)
    .where("remove_at", "<=", sql<Date>`now()`)
    .execute();
}
