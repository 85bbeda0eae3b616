// The security requirements of a tenant for its users (interface §20, §25).
import { notFound } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import type { Tables } from "../../tables.ts";

export interface Security {
  readonly requireSecondFactor: boolean;
  readonly passwordSignIn: boolean;
}

/** `locks` makes concurrent changes wait. Throws 404. */
export async function readSecurity(tenant: Tenant<Tables>, { locks = false } = {}): Promise<Security> {
  return await tenant.db
    .selectFrom("tenants")
    .select(["require_second_factor as requireSecondFactor", "password_sign_in as passwordSignIn"])
    .where("id", "=", tenant.tenantId)
    .$if(locks, (query) => query.forNoKeyUpdate())
    .executeTakeFirstOrThrow(() => notFound("tenant"));
}

export async function writeSecurity(
  tx: Tenant<Tables>,
  { requireSecondFactor, passwordSignIn }: Security,
): Promise<void> {
  await tx.db
    .updateTable("tenants")
    .set({ require_second_factor: requireSecondFactor, password_sign_in: passwordSignIn })
    .where("id", "=", tx.tenantId)
    .execute();
}
