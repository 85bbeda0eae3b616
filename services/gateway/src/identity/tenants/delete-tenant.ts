// Begins and ends the deletion of a tenant (interface §9). In between, the operator's command deletes the tenant's rows from all
// databases.
import { sharedTenantTables, type TenantTable } from "@tradepost/postgres";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../tables.ts";

/**
 * The tables with rows of tenants, in the order in which the operator deletes a tenant. The tenant's own row is last: the
 * tenant can be found until everything else is deleted.
 */
export const tenantTables: readonly TenantTable[] = [
  { name: "setup_links", kind: "setup_link", secrets: ["token_hash"] },
  { name: "sessions", kind: "session", secrets: ["refresh_hash"] },
  sharedTenantTables.idempotencyRecords,
  { name: "api_keys", kind: "api_key", secrets: ["secret_hash"] },
  { name: "users", kind: "user", secrets: ["password_hash"] },
  { name: "audit_log", kind: "audit_entry" },
  { name: "requests", kind: "request" },
  { name: "request_days", kind: "request_day" },
  { name: "tenant_modules", kind: "module" },
  sharedTenantTables.outbox,
  sharedTenantTables.publishedEvents,
  { name: "tenants", kind: "tenant", tenantColumn: "id" },
];

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
    let count = 0;
    for (const { name, tenantColumn = "tenant_id" } of tenantTables) {
      const { numAffectedRows } =
        await sql`delete from ${sql.table(name)} where ${sql.ref(tenantColumn)} = ${tenantId}`.execute(tx);
      count += Number(numAffectedRows ?? 0);
    }
    return count;
  });
}
