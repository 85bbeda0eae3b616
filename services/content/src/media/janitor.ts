// Removes from the storage what belongs to no asset: of deleted ones, and of uploads that failed or died.

import type { TenantDatabases, TenantStatements } from "@tradepost/postgres";
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";
import { sql } from "kysely";
import type { Pool } from "pg";
import type { Storage } from "../storage/storage.ts";
import type { Tables } from "../tables.ts";
import { folderOf } from "./media.ts";

const LOOK_EVERY_MS = 10_000;
const BATCH_MAX = 100;
const POSTPONED_SECONDS = 60;

interface Leftover {
  readonly tenantId: string;
  readonly mediaId: string;
  /** When it was found, as the database writes it: to the microsecond, which a Date would lose. */
  readonly asOf: string;
}

/**
 * In: `workers`, whose role may find and strike out what is due, and the tenants' own databases, to put off what cannot be
 * removed. The file goes first and its row after it, so that a crash in between removes it once more. Replicas may do the
 * same work twice, which hurts nobody.
 */
export function startJanitor(options: {
  workers: Pool;
  tenants: TenantDatabases<Tables>;
  storage: Storage;
  logger: Logger;
}): Repetition {
  const { workers, tenants, storage, logger } = options;

  /** Out: how many were due, removed or put off. */
  async function removeDue(): Promise<number> {
    const { rows } = await workers.query<Leftover>(FIND_DUE);
    for (const { tenantId, mediaId, asOf } of rows) {
      try {
        await storage.removeAll(folderOf(tenantId, mediaId));
        await workers.query(STRIKE_OUT, [tenantId, mediaId, asOf]);
      } catch (error) {
        logger.warn({ err: error, tenantId, mediaId }, "files not removed; trying again");
        await postpone(tenants.of(tenantId), mediaId);
      }
    }
    return rows.length;
  }

  return repeat(async () => {
    const foundCount = await removeDue().catch((error: unknown) => {
      logger.warn({ err: error }, "leftovers not looked for; trying again");
      return 0;
    });
    return foundCount === BATCH_MAX ? 0 : LOOK_EVERY_MS;
  });
}

const FIND_DUE = `
  select tenant_id as "tenantId", media_id as "mediaId", now()::text as "asOf"
    from storage_leftovers
   where remove_at <= now()
   order by remove_at
   limit ${BATCH_MAX}`;

// A row that became due after it was found speaks of files that came after it, too: it stays for the next round.
const STRIKE_OUT = `
  delete from storage_leftovers where tenant_id = $1 and media_id = $2 and remove_at <= $3::timestamptz`;

/** The oldest are looked at first: a hundred that cannot be removed would hide all others. */
async function postpone({ db, tenantId }: TenantStatements<Tables>, mediaId: string): Promise<void> {
  await db
    .updateTable("storage_leftovers")
    .set({ remove_at: sql<Date>`now() + ${POSTPONED_SECONDS} * interval '1 second'` })
    .where("tenant_id", "=", tenantId)
    .where("media_id", "=", mediaId)
    .where("remove_at", "<=", sql<Date>`now()`)
    .execute();
}
