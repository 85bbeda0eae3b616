// A tenant's modules. Every request reads them.
import type { Tenant } from "@tradepost/postgres";
import type { Tables } from "../../tables.ts";

export const moduleNames = ["crm", "content"] as const;
export type ModuleName = (typeof moduleNames)[number];

export async function listModules(tenant: Tenant<Tables>) {
  return await tenant.db
    .selectFrom("tenant_modules")
    .select(["name", "active"])
    .where("tenant_id", "=", tenant.tenantId)
    .orderBy("name")
    .execute();
}

/** Returns false if it is in this state already. */
export async function setModule(tenant: Tenant<Tables>, name: ModuleName, active: boolean): Promise<boolean> {
  const { numUpdatedRows } = await tenant.db
    .updateTable("tenant_modules")
    .set({ active })
    .where("tenant_id", "=", tenant.tenantId)
    .where("name", "=", name)
    .where("active", "!=", active)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
