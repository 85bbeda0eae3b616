// Publishes what is due, on every replica: an index says what that is, a row's lock who does it. By the database's clock
// alone. What cannot go live says why on its entry, and is tried again.
import { ApiError } from "@tradepost/http";
import type { TenantDatabases, TenantStatements } from "@tradepost/postgres";
import { type Logger, type Repetition, repeat } from "@tradepost/runtime";
import { sql } from "kysely";
import type { Pool } from "pg";
import { causeOf } from "../cause.ts";
import type { Tables } from "../tables.ts";
import { type EntryRow, findRevision } from "./entry-store.ts";
import { publishRevision } from "./publish-entry.ts";

const LOOK_EVERY_MS = 500;
const TRY_AGAIN_SECONDS = 60;
const BATCH_ENTRIES = 100;

const FIND_DUE = `
  select tenant_id as "tenantId", id from entries
   where schedule_try_at <= now()
   order by schedule_try_at
   limit ${BATCH_ENTRIES}`;

interface Due {
  readonly tenantId: string;
  readonly id: string;
}

/** In: a pool that may look at every tenant's times, and the tenants' own databases, in which the work is done. */
export function startPublishingDue(options: {
  pool: Pool;
  tenants: TenantDatabases<Tables>;
  onCommit: () => void;
  logger: Logger;
}): Repetition {
  const { pool, tenants, onCommit, logger } = options;
  return repeat(async () => {
    try {
      const { rows } = await pool.query<Due>(FIND_DUE);
      for (const due of rows) await publishOne(due);
      return rows.length === BATCH_ENTRIES ? 0 : LOOK_EVERY_MS;
    } catch (error) {
      logger.warn({ err: error }, "due entries could not be looked for; trying again");
      return LOOK_EVERY_MS;
    }
  });

  async function publishOne({ tenantId, id }: Due): Promise<void> {
    const tenant = tenants.of(tenantId);
    try {
      const isPublished = await tenant.transaction((within) => publishIfDue(within, id));
      if (!isPublished) return;
      onCommit();
      logger.info({ tenantId, entryId: id }, "published on time");
    } catch (error) {
      logger.warn({ err: error, tenantId, entryId: id }, "could not be published on time; trying again");
      const why = error instanceof ApiError ? error.message : "Something went wrong on our side.";
      await noteFailure(tenant, id, why);
    }
  }
}

/** Out: false where another replica has it in hand, or has published it, or nothing is scheduled any more. */
async function publishIfDue(within: TenantStatements<Tables>, id: string): Promise<boolean> {
  const entry = await within.db
    .selectFrom("entries")
    .selectAll()
    .where("tenant_id", "=", within.tenantId)
    .where("id", "=", id)
    .where("schedule_try_at", "<=", sql<Date>`now()`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (entry === undefined) return false;
  const { revision, onBehalf } = await pinned(within, entry);
  await publishRevision(within, entry, revision, causeOf(within.tenantId, onBehalf));
  return true;
}

async function pinned(within: TenantStatements<Tables>, entry: EntryRow) {
  const revision = await findRevision(within, entry.id, entry.scheduled_revision ?? 0);
  if (revision === null || entry.scheduled_by === null)
    throw new Error(`entry ${entry.id} has lost what was scheduled`);
  return { revision, onBehalf: entry.scheduled_by };
}

/** Not as a change of the entry: nobody changed it. */
async function noteFailure(
  { db, tenantId }: TenantStatements<Tables>,
  id: string,
  why: string,
): Promise<void> {
  await db
    .updateTable("entries")
    .set({
      schedule_error: why,
      schedule_try_at: sql<Date>`now() + ${TRY_AGAIN_SECONDS} * interval '1 second'`,
    })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .where("schedule_try_at", "<=", sql<Date>`now()`)
    .execute();
}
