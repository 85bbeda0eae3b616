// Refuses changes that would give an erased customer personal data again (interface §20).
import { ApiError } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import type { Tables } from "./tables.ts";

export function customerErased(extra: Record<string, unknown> = {}): ApiError {
  return new ApiError("customer_erased", "The customer's personal data is erased.", { extra });
}

/** Call it after reading the version that a change depends on: an unseen erasure gives the order another version. */
export async function isErased({ db, tenantId }: Tenant<Tables>, customerId: string): Promise<boolean> {
  const erased = await db
    .selectFrom("customers")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", customerId)
    .where("erased_at", "is not", null)
    .executeTakeFirst();
  return erased !== undefined;
}
