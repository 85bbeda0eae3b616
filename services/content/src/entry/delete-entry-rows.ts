// Deletes an entry with its revisions and slugs.
import type { Tenant } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";

// An entry may have any number of revisions; deleting all with one statement could exceed the statement timeout.
const BATCH_REVISIONS = 5_000;

/** The entry must be locked. */
export async function deleteEntryRows({ db, tenantId }: Tenant<Tables>, id: string): Promise<void> {
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
