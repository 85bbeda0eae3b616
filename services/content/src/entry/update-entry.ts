// The one statement that moves an entry from state to state.
import type { TenantStatements } from "@tradepost/postgres";
import { sql, type UpdateObject } from "kysely";
import type { Tables } from "../tables.ts";
import type { EntryRow } from "./entry-store.ts";

/** What an entry is once nothing of it is to go live later. */
export const NOT_SCHEDULED = {
  publish_at: null,
  scheduled_revision: null,
  scheduled_by: null,
  schedule_try_at: null,
  schedule_error: null,
};

/** In: a locked entry and what changes. Out: the entry after it. */
export async function updateEntry(
  { db, tenantId }: TenantStatements<Tables>,
  { id }: EntryRow,
  changes: UpdateObject<Tables, "entries">,
): Promise<EntryRow> {
  return await db
    .updateTable("entries")
    .set({ ...changes, updated_at: sql<Date>`now()` })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
