// Suspends and resumes a tenant's requests, and begins and ends its deletion (interface §2, §9). In between, the operator's
// command deletes the tenant's rows from all databases.
import { tenantTables } from "@tradepost/data-map";
import { ApiError, isUuid } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import {
  forgetTenantInCommands,
  OPERATOR,
  type OperatorActor,
  recordAudit,
} from "../../audit-log/audit-log.ts";
import type { Tables, Tenant } from "../../tables.ts";

export type OperatedTenant = Awaited<ReturnType<typeof findOperatedTenant>>;

/** Throws an Error for the operator. */
export async function findOperatedTenant(db: Kysely<Tables>, slugOrId: string) {
  const found = await db
    .selectFrom("tenants")
    .select(["id", "slug"])
    .select(sql<boolean>`suspended_at is not null`.as("isSuspended"))
    .select(sql<boolean>`deletion_started_at is not null`.as("isBeingDeleted"))
    // A slug that looks like an id is preferred.
    .where((is) => is.or([is("slug", "=", slugOrId), ...(isUuid(slugOrId) ? [is("id", "=", slugOrId)] : [])]))
    .orderBy(sql`slug = ${slugOrId}`, "desc")
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) throw new Error(`There is no tenant with the slug or id ${slugOrId}.`);
  return found;
}

/** Takes effect on the next request. Throws an Error for the operator while the tenant is being deleted. */
export async function setSuspended(
  db: Kysely<Tables>,
  tenantId: string,
  isSuspended: boolean,
  actor: OperatorActor = OPERATOR,
): Promise<void> {
  await tenantOf(db, tenantId).transaction(async (tx) => {
    const changed = await tx.db
      .updateTable("tenants")
      .set({ suspended_at: isSuspended ? sql<Date>`now()` : null })
      .where("id", "=", tenantId)
      .where("suspended_at", isSuspended ? "is" : "is not", null)
      .returning("deletion_started_at as deletionStartedAt")
      .executeTakeFirst();
    if (changed === undefined) return;
    if (changed.deletionStartedAt !== null) throw new Error("The tenant is being deleted.");
    const action = isSuspended ? "tenant.suspended" : "tenant.resumed";
    const cause = { principal: { tenantId, actor }, requestId: newId() };
    await recordAudit(tx, { action, target: { type: "tenant", id: tenantId }, changes: {} }, cause);
  });
}

/** Refuses requests without a credential. */
export async function refuseSuspended(tenant: Tenant): Promise<void> {
  const suspended = await tenant.db
    .selectFrom("tenants")
    .select("id")
    .where("id", "=", tenant.tenantId)
    .where("suspended_at", "is not", null)
    .executeTakeFirst();
  if (suspended !== undefined) throw tenantSuspended();
}

export function tenantSuspended(): ApiError {
  return new ApiError("tenant_suspended", "This tenant is suspended; its operator can resume it.");
}

/** The tenant cannot be resumed afterwards. */
export async function markDeletion(db: Kysely<Tables>, tenantId: string): Promise<void> {
  await db
    .updateTable("tenants")
    .set({ deletion_started_at: sql<Date>`now()` })
    .where("id", "=", tenantId)
    .where("deletion_started_at", "is", null)
    .execute();
}

/** Deletes later rows, too; inserts wait for the lock on the tenant's row and then fail. Returns the number of rows. */
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
