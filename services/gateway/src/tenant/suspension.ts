// The refusal of a suspended tenant's requests (interface §2). Only the operator suspends a tenant.
import { ApiError } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";

/** Throws 403 `tenant_suspended` if the tenant is suspended. Authenticated requests are refused by `authenticate`. */
export async function refuseSuspended(tenant: Tenant<Tables>): Promise<void> {
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
