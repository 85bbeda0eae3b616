// The identities at providers. An identity belongs to one user of the platform.
import { violatedConstraint } from "@tradepost/postgres";
import { type Kysely, sql } from "kysely";
import type { Tables, Tenant } from "../../tables.ts";
import type { Claims } from "./provider.ts";

export async function findBoundUser(
  db: Kysely<Tables>,
  { issuer, subject }: Pick<Claims, "issuer" | "subject">,
): Promise<{ readonly tenantId: string; readonly userId: string } | null> {
  const row = await db
    .selectFrom("identities")
    .select(["tenant_id as tenantId", "user_id as userId"])
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row ?? null;
}

export async function findIdentity({ db, tenantId }: Tenant, userId: string) {
  const row = await db
    .selectFrom("identities")
    .select(["issuer", "email", "linked_at as linkedAt"])
    .where("tenant_id", "=", tenantId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row ?? null;
}

/** Replaces the user's earlier one. Fails with `IdentityTaken` if it is another user's. */
export async function putIdentity(
  tx: Tenant,
  userId: string,
  { issuer, subject, email }: Claims,
): Promise<void> {
  const bound = { issuer, subject, email, linked_at: new Date() };
  try {
    await tx.db
      .insertInto("identities")
      .values({ tenant_id: tx.tenantId, user_id: userId, ...bound })
      .onConflict((conflict) => conflict.columns(["tenant_id", "user_id"]).doUpdateSet(bound))
      .execute();
  } catch (error) {
    throw violatedConstraint(error) === "identities_issuer_subject_key" ? new IdentityTaken() : error;
  }
}

export class IdentityTaken extends Error {}

export async function deleteIdentity(tx: Tenant, userId: string): Promise<void> {
  await tx.db
    .deleteFrom("identities")
    .where("tenant_id", "=", tx.tenantId)
    .where("user_id", "=", userId)
    .execute();
}

/** Active owners who can sign in at this issuer, without `userId`. */
export async function hasOtherBoundOwner(tx: Tenant, userId: string, issuer: string) {
  const { rows } = await sql`
    select from identities
      join users on users.tenant_id = identities.tenant_id and users.id = identities.user_id
     where identities.tenant_id = ${tx.tenantId} and issuer = ${issuer} and user_id <> ${userId}
       and role = 'owner' and active
     limit 1`.execute(tx.db);
  return rows.length > 0;
}
