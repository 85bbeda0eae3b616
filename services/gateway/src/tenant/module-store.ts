// A tenant's modules: which there are, and which are active. Read with every request, so a change holds from the next.
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import type { ModuleName } from "./tenant-store.ts";

export interface Module {
  readonly name: string;
  readonly active: boolean;
}

export async function listModules(db: Kysely<Tables>, tenantId: string): Promise<Module[]> {
  return await db
    .selectFrom("tenant_modules")
    .select(["name", "active"])
    .where("tenant_id", "=", tenantId)
    .orderBy("name")
    .execute();
}

/** Out: whether this changed anything. */
export async function setModule(
  db: Kysely<Tables>,
  tenantId: string,
  name: ModuleName,
  active: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("tenant_modules")
    .set({ active })
    .where("tenant_id", "=", tenantId)
    .where("name", "=", name)
    .where("active", "!=", active)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
