// Sign-ins between the password and the code, and links that sign a user in. The caller has a token, the database its hash. A token
// for a code does not work as a link, which would need no code.
import { type Kysely, sql } from "kysely";
import type { Tables, Tenant } from "../../tables.ts";
import { hashSecret, newToken } from "../signer.ts";

const CODE_MINUTES = 5;
const LINK_MINUTES = 10;
const FAILED_CODES_MAX = 5;

/** Call it in a transaction that has locked the user. */
export async function beginSignIn(tx: Tenant, userId: string, { isLink = false } = {}) {
  const { token, hash } = newToken();
  const { expires_at } = await tx.db
    .insertInto("unfinished_sign_ins")
    .values({
      tenant_id: tx.tenantId,
      user_id: userId,
      token_hash: hash,
      expires_at: sql<Date>`now() + ${isLink ? LINK_MINUTES : CODE_MINUTES} * interval '1 minute'`,
      is_link: isLink,
    })
    .returning("expires_at")
    .executeTakeFirstOrThrow();
  return { token, expiresAt: expires_at };
}

/** Returns null if the token has expired, was used, or failed too often. */
export async function findSignIn(db: Kysely<Tables>, token: string, { isLink = false } = {}) {
  const row = await db
    .selectFrom("unfinished_sign_ins as unfinished")
    .innerJoin("users", (join) =>
      join.onRef("users.tenant_id", "=", "unfinished.tenant_id").onRef("users.id", "=", "unfinished.user_id"),
    )
    .select(["unfinished.tenant_id as tenantId", "unfinished.user_id as userId", "users.email"])
    .where("unfinished.token_hash", "=", hashSecret(token))
    .where("unfinished.is_link", "=", isLink)
    .where("unfinished.failed_codes", "<=", FAILED_CODES_MAX)
    .where("unfinished.expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return row ?? null;
}

/** Codes for one token are checked in turn. False if the sign-in can no longer be finished. */
export async function lockSignIn(tx: Tenant, userId: string, token: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom("unfinished_sign_ins")
    .select("failed_codes")
    .where("tenant_id", "=", tx.tenantId)
    .where("user_id", "=", userId)
    .where("token_hash", "=", hashSecret(token))
    .where("failed_codes", "<=", FAILED_CODES_MAX)
    .where("expires_at", ">", sql<Date>`now()`)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function countFailedCode(tx: Tenant, userId: string, token: string): Promise<boolean> {
  const { failed_codes } = await tx.db
    .updateTable("unfinished_sign_ins")
    .set({ failed_codes: sql<number>`failed_codes + 1` })
    .where("tenant_id", "=", tx.tenantId)
    .where("user_id", "=", userId)
    .where("token_hash", "=", hashSecret(token))
    .returning("failed_codes")
    .executeTakeFirstOrThrow();
  return failed_codes > FAILED_CODES_MAX;
}

export async function endSignIn(tx: Tenant, userId: string, token: string): Promise<void> {
  await tx.db
    .deleteFrom("unfinished_sign_ins")
    .where("tenant_id", "=", tx.tenantId)
    .where("user_id", "=", userId)
    .where("token_hash", "=", hashSecret(token))
    .execute();
}

export async function endUnfinishedSignIns(tx: Tenant, userId: string): Promise<void> {
  await tx.db
    .deleteFrom("unfinished_sign_ins")
    .where("tenant_id", "=", tx.tenantId)
    .where("user_id", "=", userId)
    .execute();
}

export async function endSignInsOfTenant({ db, tenantId }: Tenant): Promise<void> {
  await db.deleteFrom("unfinished_sign_ins").where("tenant_id", "=", tenantId).execute();
}

export async function deleteExpiredSignIns(db: Kysely<Tables>, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from unfinished_sign_ins where (tenant_id, user_id, token_hash) in (
      select tenant_id, user_id, token_hash from unfinished_sign_ins
       where expires_at < now()
       order by expires_at
       limit ${limit}
         for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
