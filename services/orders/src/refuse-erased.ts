// Refuses changes that would give an erased customer personal data again (interface §20).
import { ApiError } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import type { Tables } from "./tables.ts";

export function customerErased(): ApiError {
  return new ApiError("customer_erased", "The customer's personal data is erased.");
}

/**
 * Call it after reading the version that the change depends on: an erasure that it does not see gives the order another one.
 *
 * @throws 409 `customer_erased`.
 */
export async function refuseErased({ db, tenantId }: Tenant<Tables>, customerId: string): Promise<void> {
  const erased = await db
    .selectFrom("customers")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", customerId)
    .where("erased_at", "is not", null)
    .executeTakeFirst();
  if (erased !== undefined) throw customerErased();
}
