import { type Tenant, tenantOf } from "@tradepost/postgres";
import type { Tables } from "./tables.ts";

/** Runs `work` in one transaction. */
export function inTenantTransaction<Result>(
  { db, tenantId }: Tenant<Tables>,
  work: (tx: Tenant<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute((transaction) => work(tenantOf(transaction, tenantId)));
}
