// Tenants with their modules. Operators create and list them; `GET /v1/me` shows one.
import { type Cause, outboxRow, withoutQuota } from "@tradepost/messaging";
import { type Tenant, tenantOf } from "@tradepost/postgres";
import { newId, newTraceparent } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../tables.ts";
import { type ModuleName, moduleNames } from "./module-store.ts";

interface NewTenant {
  readonly slug: string;
  readonly name: string;
  readonly modules: readonly ModuleName[];
  readonly owner: { readonly email: string; readonly passwordHash: string };
  readonly currency?: string | undefined;
  readonly timeZone?: string | undefined;
  readonly locale?: string | undefined;
}

/** Inserts `tenant.created`, too. Throws the database's error if slug or e-mail are taken. */
export async function insertTenant(
  db: Kysely<Tables>,
  tenant: NewTenant,
  actor: Cause["principal"]["actor"],
): Promise<{ tenantId: string; ownerId: string }> {
  const tenantId = newId();
  const ownerId = newId();
  await db.transaction().execute(async (tx) => {
    const { slug, name, currency, timeZone, locale } = tenant;
    await tx
      .insertInto("tenants")
      .values({ id: tenantId, slug, name, currency, time_zone: timeZone, locale })
      .execute();
    await tx
      .insertInto("tenant_modules")
      .values(
        moduleNames.map((name) => ({ tenant_id: tenantId, name, active: tenant.modules.includes(name) })),
      )
      .execute();
    await tx
      .insertInto("users")
      .values({
        tenant_id: tenantId,
        id: ownerId,
        email: tenant.owner.email.toLowerCase(),
        name: `${tenant.name} owner`,
        role: "owner",
        password_hash: tenant.owner.passwordHash,
        confirmed_at: sql<Date>`now()`,
      })
      .execute();
    await insertCreated(tenantOf(tx, tenantId), actor);
  });
  return { tenantId, ownerId };
}

async function insertCreated(tx: Tenant<Tables>, actor: Cause["principal"]["actor"]): Promise<void> {
  const { tenantId } = tx;
  const cause = { principal: { tenantId, actor }, requestId: newId(), traceparent: newTraceparent() };
  const row = outboxRow("tenant.created", tenantId, { tenant: await findTenant(tx) }, withoutQuota(cause));
  await tx.db.insertInto("outbox").values(row).execute();
}

export type TenantDetails = NonNullable<Awaited<ReturnType<typeof findTenant>>>;

export async function findTenant(tenant: Tenant<Tables>) {
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
