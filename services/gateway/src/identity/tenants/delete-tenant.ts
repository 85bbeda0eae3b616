// Begins and ends the deletion of a tenant (interface §9). In between, the operator's command deletes the tenant's rows from all
// databases.
import { tenantTables } from "@tradepost/data-map";
import { type Kysely, sql } from "kysely";
import { forgetTenantInCommands } from "../../audit-log/audit-log.ts";
import type { Tables } from "../../tables.ts";

/** Marks the tenant as being deleted. It cannot be resumed afterwards. */
export async function markDeletion(db: Kysely<Tables>, tenantId: string): Promise<void> {
  await db
    .updateTable("tenants")
    .set({ deletion_started_at: sql<Date>`now()` })
    .where("id", "=", tenantId)
    .where("deletion_started_at", "is", null)
    .execute();
}

/**
 * Deletes the tenant's row, and the rows that requests and audit entries have inserted since the other rows were deleted.
 * Later inserts need the tenant's row, so its lock makes them wait and then fail. Returns how many rows were deleted.
 */
export async function deleteTenantRow(db: Kysely<Tables>, tenantId: string): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    await sql`select from tenants where id = ${tenantId} for update`.execute(tx);
    await sql`
      insert into deleted_tenants (tenant_digest) values (sha256(uuid_send(${tenantId}::uuid)))
      on conflict do nothing`.execute(tx);
    await forgetTenantInCommands(tx, tenantId);
    let count = 0;
    for (const { name, tenantColumn } of tenantTables.gateway) {
      const { numAffectedRows } =
        await sql`delete from ${sql.table(name)} where ${sql.ref(tenantColumn)} = ${tenantId}`.execute(tx);
      count += Number(numAffectedRows ?? 0);
    }
    return count;
  });
}
