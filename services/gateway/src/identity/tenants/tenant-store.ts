// Tenants with their modules, and what a tenant requires of its users' sign-ins. Every request reads the modules.
import { notFound } from "@tradepost/http";
import { type Kysely, sql } from "kysely";
import type { Tables, Tenant } from "../../tables.ts";

export const moduleNames = ["crm", "content"] as const;
export type ModuleName = (typeof moduleNames)[number];

export async function findTenant(tenant: Tenant) {
  const [found] = await tenantsWithModules(tenant.db).where("tenants.id", "=", tenant.tenantId).execute();
  return found ?? null;
}

export async function listTenants(db: Kysely<Tables>) {
  return await tenantsWithModules(db)
    .select(sql<boolean>`suspended_at is not null`.as("suspended"))
    .orderBy("tenants.created_at")
    .orderBy("tenants.id")
    .execute();
}

function tenantsWithModules(db: Kysely<Tables>) {
  return db
    .selectFrom("tenants")
    .innerJoin("tenant_modules as module", "module.tenant_id", "tenants.id")
    .groupBy("tenants.id")
    .select((is) => [
      "tenants.id",
      "tenants.slug",
      "tenants.name",
      "tenants.created_at as createdAt",
      is.fn
        .coalesce(
          is.fn
            .agg<string[]>("array_agg", ["module.name"])
            .orderBy("module.name")
            .filterWhere("module.active", "=", true),
          is.val([] as string[]),
        )
        .as("modules"),
    ]);
}

export async function listModules(tenant: Tenant) {
  return await tenant.db
    .selectFrom("tenant_modules")
    .select(["name", "active"])
    .where("tenant_id", "=", tenant.tenantId)
    .orderBy("name")
    .execute();
}

/** Returns false if it is in this state already. */
export async function setModule(tenant: Tenant, name: ModuleName, active: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tenant.db
    .updateTable("tenant_modules")
    .set({ active })
    .where("tenant_id", "=", tenant.tenantId)
    .where("name", "=", name)
    .where("active", "!=", active)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The security requirements (interface §20, §25). */
export type Security = Awaited<ReturnType<typeof readSecurity>>;

/** `locks` makes concurrent changes wait. Throws 404. */
export async function readSecurity(tenant: Tenant, { locks = false } = {}) {
  return await tenant.db
    .selectFrom("tenants")
    .select(["require_second_factor as requireSecondFactor", "password_sign_in as passwordSignIn"])
    .where("id", "=", tenant.tenantId)
    .$if(locks, (query) => query.forNoKeyUpdate())
    .executeTakeFirstOrThrow(() => notFound("tenant"));
}

export async function writeSecurity(
  tx: Tenant,
  { requireSecondFactor, passwordSignIn }: Security,
): Promise<void> {
  await tx.db
    .updateTable("tenants")
    .set({ require_second_factor: requireSecondFactor, password_sign_in: passwordSignIn })
    .where("id", "=", tx.tenantId)
    .execute();
}
