// Removes an entry with all that belongs to it.
import type { TenantStatements } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Tables } from "../tables.ts";

// An entry may have any number of revisions: removed by one statement they could outlast its timeout, every time.
const BATCH_REVISIONS = 5_000;

/** In: a locked entry. */
export async function removeEntry({ db, tenantId }: TenantStatements<Tables>, id: string): Promise<void> {
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
