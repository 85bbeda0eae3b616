// A tenant's staff users. Several tenants may have added an e-mail; it belongs to the user who confirms it first, which a
// unique index decides.
import { ApiError, type PageQuery } from "@tradepost/http";
import { newestFirst, violatedConstraint } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables, Tenant } from "../../tables.ts";

export type User = ReturnType<typeof userOf> & { readonly lastSignInAt?: Date | null };
export type UserWithPassword = ReturnType<typeof withPassword>;

// A sign-in compares the password with each. A user beyond the limit can confirm the e-mail with a set-up link.
const UNCONFIRMED_MAX = 5;

/** The user who has confirmed the e-mail, or else users who have not, oldest first. */
export async function findUsersByEmail(db: Kysely<Tables>, email: string): Promise<UserWithPassword[]> {
  const rows = await db
    .selectFrom("users")
    .selectAll()
    .where("email", "=", email.toLowerCase())
    .orderBy("confirmed_at")
    .orderBy("created_at")
    .orderBy("id")
    .limit(UNCONFIRMED_MAX)
    .execute();
  return rows.slice(0, rows[0]?.confirmed_at ? 1 : undefined).map(withPassword);
}

/**
 * Gives the e-mail to this user; false if the user has confirmed it already, is inactive or has another password. Fails with 409
 * `email_taken` if another user has confirmed the e-mail, even at the same time.
 */
export async function confirmUser(
  tx: Tenant,
  { id, passwordHash }: Pick<UserWithPassword, "id" | "passwordHash">,
): Promise<boolean> {
  try {
    const { numUpdatedRows } = await tx.db
      .updateTable("users")
      .set({ confirmed_at: sql<Date>`now()` })
      .where("tenant_id", "=", tx.tenantId)
      .where("id", "=", id)
      .where("password_hash", "=", passwordHash)
      .where("active", "=", true)
      .where("confirmed_at", "is", null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  } catch (error) {
    throw violatedConstraint(error) === "users_confirmed_email" ? emailLost() : error;
  }
}

/** Throws 409 `email_taken` if another user has confirmed it. */
export async function refuseLostEmail(tenant: Tenant, id: string): Promise<void> {
  const winner = await tenant.db
    .selectFrom("users as own")
    .innerJoin("users as winner", "winner.email", "own.email")
    .select("winner.id")
    .where("own.tenant_id", "=", tenant.tenantId)
    .where("own.id", "=", id)
    .where("winner.confirmed_at", "is not", null)
    .whereRef("winner.id", "!=", "own.id")
    .executeTakeFirst();
  if (winner !== undefined) throw emailLost();
}

function emailLost(): ApiError {
  return new ApiError("email_taken", "The e-mail belongs to a user of another shop, who confirmed it first.");
}

export async function findUserWithPassword(tenant: Tenant, id: string) {
  const row = await selectUser(tenant, id).executeTakeFirst();
  return row === undefined ? null : withPassword(row);
}

export async function replacePassword(tenant: Tenant, user: UserWithPassword, passwordHash: string) {
  const { numUpdatedRows } = await tenant.db
    .updateTable("users")
    .set({ password_hash: passwordHash })
    .where("tenant_id", "=", tenant.tenantId)
    .where("id", "=", user.id)
    .where("password_hash", "=", user.passwordHash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Two changes cannot remove the last two owners at once. */
export async function lockStaff(tx: Tenant): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${tx.tenantId}, 0))`.execute(tx.db);
}

export async function findUser(tenant: Tenant, id: string): Promise<User | null> {
  const row = await selectUser(tenant, id).executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

export async function lockUser(tx: Tenant, id: string): Promise<User | null> {
  const row = await selectUser(tx, id).forNoKeyUpdate().executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

/** A change of the password or second factor waits, and then ends this session too. Other sign-ins do not wait. */
export async function lockSigningIn(tx: Tenant, id: string): Promise<UserWithPassword | null> {
  const row = await selectUser(tx, id).where("active", "=", true).forShare().executeTakeFirst();
  return row === undefined ? null : withPassword(row);
}

export async function countOtherActiveOwners(tenant: Tenant, id: string): Promise<number> {
  const { count } = await tenant.db
    .selectFrom("users")
    .select((is) => is.fn.countAll<string>().as("count"))
    .where("tenant_id", "=", tenant.tenantId)
    .where("role", "=", "owner")
    .where("active", "=", true)
    .where("id", "!=", id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertUser(
  tenant: Tenant,
  user: Pick<User, "email" | "name" | "role"> & { passwordHash: string },
): Promise<User> {
  try {
    const row = await tenant.db
      .insertInto("users")
      .values({
        tenant_id: tenant.tenantId,
        id: newId(),
        email: user.email.toLowerCase(),
        name: user.name,
        role: user.role,
        password_hash: user.passwordHash,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return userOf(row);
  } catch (error) {
    throw violatedConstraint(error) === "users_email_key" ? emailTaken() : error;
  }
}

/** By someone who has confirmed it, or by a user of the tenant. */
export async function isEmailTaken({ db, tenantId }: Tenant, email: string): Promise<boolean> {
  const taken = await db
    .selectFrom("users")
    .select("id")
    .where("email", "=", email.toLowerCase())
    .where((is) => is.or([is("confirmed_at", "is not", null), is("tenant_id", "=", tenantId)]))
    .executeTakeFirst();
  return taken !== undefined;
}

export function emailTaken(): ApiError {
  return new ApiError("email_taken", "A user with this e-mail already exists.");
}

export async function updateUser(
  tenant: Tenant,
  user: User,
  passwordHash: string | undefined,
  { byOperator = false } = {},
): Promise<void> {
  await tenant.db
    .updateTable("users")
    .set({
      name: user.name,
      role: user.role,
      active: user.active,
      ...(passwordHash !== undefined && { password_hash: passwordHash, password_by_operator: byOperator }),
    })
    .where("tenant_id", "=", tenant.tenantId)
    .where("id", "=", user.id)
    .execute();
}

export async function deleteUser(tenant: Tenant, id: string): Promise<void> {
  await tenant.db.deleteFrom("users").where("tenant_id", "=", tenant.tenantId).where("id", "=", id).execute();
}

/** From the audit log; null before the first sign-in. */
export const lastSignInAt = sql<Date | null>`(
  select created_at from audit_log
   where tenant_id = users.tenant_id and target_id = users.id::text and action = 'auth.login'
   order by created_at desc, id desc limit 1)`;

export async function listUsers(tenant: Tenant, page: PageQuery): Promise<User[]> {
  const all = tenant.db.selectFrom("users").selectAll().select(lastSignInAt.as("lastSignInAt"));
  const rows = await newestFirst(all.where("tenant_id", "=", tenant.tenantId), page).execute();
  return rows.map((row) => ({ ...userOf(row), lastSignInAt: row.lastSignInAt }));
}

function selectUser(tenant: Tenant, id: string) {
  return tenant.db
    .selectFrom("users")
    .selectAll()
    .where("tenant_id", "=", tenant.tenantId)
    .where("id", "=", id);
}

function withPassword(row: Selectable<Tables["users"]>) {
  return {
    ...userOf(row),
    tenantId: row.tenant_id,
    passwordHash: row.password_hash,
    /** Accepted even if the tenant has switched passwords off. */
    isPasswordByOperator: row.password_by_operator,
  };
}

function userOf(row: Selectable<Tables["users"]>) {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    active: row.active,
    createdAt: row.created_at,
    /** By a sign-in, or a password set with a link: the e-mail is this user's. */
    isConfirmed: row.confirmed_at !== null,
    hasSecondFactor: row.second_factor_since !== null,
  };
}
