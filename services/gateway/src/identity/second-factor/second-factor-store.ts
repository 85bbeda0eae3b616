// Second factors and their recovery codes. A second factor counts once the user has confirmed it
// (`users.second_factor_since`). The functions run in a transaction that has locked the user.
import { sql } from "kysely";
import type { Tenant } from "../../tables.ts";
import type { SecretSealing } from "./secret-sealing.ts";

/** Replaces a secret that was not confirmed. */
export async function putSecret(
  tx: Tenant,
  userId: string,
  { sealed, sealedWith }: ReturnType<SecretSealing["seal"]>,
): Promise<void> {
  const secret = { secret_sealed: sealed, sealed_with: sealedWith };
  await tx.db
    .insertInto("second_factors")
    .values({ tenant_id: tx.tenantId, user_id: userId, ...secret })
    .onConflict((conflict) => conflict.columns(["tenant_id", "user_id"]).doUpdateSet(secret))
    .execute();
}

export async function findSecret(tx: Tenant, userId: string): Promise<Buffer | null> {
  const row = await tx.db
    .selectFrom("second_factors")
    .select("secret_sealed")
    .where("tenant_id", "=", tx.tenantId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.secret_sealed ?? null;
}

/** Returns false if a code of this or a later step was used before. */
export async function takeStep(tx: Tenant, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("tenant_id", "=", tx.tenantId)
    .where("user_id", "=", userId)
    .where("last_step", "<", String(step))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns false if it was used before or never existed. */
export async function takeRecoveryCode(tx: Tenant, userId: string, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom("recovery_codes")
    .where("tenant_id", "=", tx.tenantId)
    .where("user_id", "=", userId)
    .where("code_hash", "=", hash)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function confirmFactor(
  tx: Tenant,
  userId: string,
  codeHashes: readonly Buffer[],
): Promise<void> {
  await tx.db
    .insertInto("recovery_codes")
    .values(codeHashes.map((code_hash) => ({ tenant_id: tx.tenantId, user_id: userId, code_hash })))
    .execute();
  await setSince(tx, userId, sql<Date>`now()`);
}

export async function deleteFactor(tx: Tenant, userId: string): Promise<void> {
  await tx.db
    .deleteFrom("second_factors")
    .where("tenant_id", "=", tx.tenantId)
    .where("user_id", "=", userId)
    .execute();
  await setSince(tx, userId, null);
}

async function setSince(tx: Tenant, userId: string, since: ReturnType<typeof sql<Date>> | null) {
  await tx.db
    .updateTable("users")
    .set({ second_factor_since: since })
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", userId)
    .execute();
}

/** Needs no transaction. A session that the provider opened needs no second factor. Null without the user. */
export async function readState(tenant: Tenant, userId: string, sessionId: string) {
  const { rows } = await sql<{ enabled: boolean; required: boolean; recoveryCodesLeft: number }>`
    select second_factor_since is not null as enabled,
           (select require_second_factor from tenants where id = ${tenant.tenantId})
             and not exists (select from sessions
                              where tenant_id = ${tenant.tenantId} and id = ${sessionId} and by_oidc) as required,
           (select count(*)::int from recovery_codes
             where tenant_id = ${tenant.tenantId} and user_id = ${userId}) as "recoveryCodesLeft"
      from users where tenant_id = ${tenant.tenantId} and id = ${userId}`.execute(tenant.db);
  return rows[0] ?? null;
}
