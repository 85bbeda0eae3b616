import { type AdmittedCause, outboxRow } from "@tradepost/messaging";
import { sql, type UpdateObject } from "kysely";
import type { Tables, Tenant } from "../tables.ts";
import type { Entry } from "./entry-resource.ts";
import { ENTRY_COLUMNS, type EntryRow } from "./entry-store.ts";

export const NOT_SCHEDULED = {
  publish_at: null,
  scheduled_revision: null,
  scheduled_by: null,
  schedule_try_at: null,
  schedule_error: null,
};

/** Grows within a transaction too, so that it puts an entry's events in order. */
const NEXT_UPDATED_AT = sql<Date>`greatest(now(), updated_at + interval '1 ms')`;

export async function updateEntry(
  { db, tenantId }: Tenant,
  { id }: EntryRow,
  changes: UpdateObject<Tables, "entries">,
): Promise<EntryRow> {
  return await db
    .updateTable("entries")
    .set({ ...changes, updated_at: NEXT_UPDATED_AT })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .returning(ENTRY_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** `entry` is as this transaction leaves it. */
export async function insertEntryEvent(
  { db }: Tenant,
  type: `content.entry.${string}`,
  entry: Entry,
  cause: AdmittedCause,
  differences: { changedFields?: readonly string[]; previousSlug?: string } = {},
): Promise<void> {
  await db
    .insertInto("outbox")
    .values(outboxRow(type, entry.id, { entry, ...differences }, cause))
    .execute();
}

export async function insertRevisionEvent(
  { db }: Tenant,
  { id, revision, slug, data }: Entry,
  cause: AdmittedCause,
): Promise<void> {
  const payload = { revision: { entryId: id, revision, slug, data } };
  await db
    .insertInto("outbox")
    .values(outboxRow("content.revision.created", id, payload, cause))
    .execute();
}

// Deleting all at once could exceed the statement timeout.
const BATCH_REVISIONS = 5_000;

export async function deleteEntryRows({ db, tenantId }: Tenant, id: string): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from entry_revisions
       where tenant_id = ${tenantId} and entry_id = ${id}
         and revision in (select revision from entry_revisions where tenant_id = ${tenantId} and entry_id = ${id}
                           order by revision limit ${BATCH_REVISIONS})`.execute(db);
    if (numAffectedRows < BATCH_REVISIONS) break;
  }
  await db.deleteFrom("entries").where("tenant_id", "=", tenantId).where("id", "=", id).execute();
}
