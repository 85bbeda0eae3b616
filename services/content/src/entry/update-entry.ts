// The statement that changes an entry's row.
import type { Tenant } from "@tradepost/postgres";
import { sql, type UpdateObject } from "kysely";
import type { Tables } from "../tables.ts";
import { ENTRY_COLUMNS, type EntryRow } from "./entry-store.ts";

/** The columns of an entry without a schedule. */
export const NOT_SCHEDULED = {
  publish_at: null,
  scheduled_revision: null,
  scheduled_by: null,
  schedule_try_at: null,
  schedule_error: null,
};

/** Grows with each change, also within a transaction, so that it puts an entry's events in order. */
const NEXT_UPDATED_AT = sql<Date>`greatest(now(), updated_at + interval '1 ms')`;

/** The entry must be locked. Returns the row after the update, with its next version. */
export async function updateEntry(
  { db, tenantId }: Tenant<Tables>,
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
