// Reads and writes a tenant's staff. They are found by e-mail alone at sign-in, because e-mail is unique on the platform.

import { ApiError, type PageQuery } from "@tradepost/http";
import { newestFirst, violatedConstraint } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { User } from "./user.ts";

export interface UserWithPassword extends User {
  readonly tenantId: string;
  readonly passwordHash: string;
}

export async function findUserByEmail(db: Kysely<Tables>, email: string): Promise<UserWithPassword | null> {
  const row = await db
    .selectFrom("users")
    .selectAll()
    .where("email", "=", email.toLowerCase())
    .executeTakeFirst();
  return row === undefined ? null : withPassword(row);
}

/** With the password's hash, for a change of the own password. */
export async function findUserWithPassword(
  db: Kysely<Tables>,
  tenantId: string,
  id: string,
): Promise<UserWithPassword | null> {
  const row = await db
    .selectFrom("users")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : withPassword(row);
}

/** Out: false if the hash is not the one that the present password was compared with. */
export async function replacePassword(
  db: Kysely<Tables>,
  user: UserWithPassword,
  passwordHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ password_hash: passwordHash })
    .where("tenant_id", "=", user.tenantId)
    .where("id", "=", user.id)
    .where("password_hash", "=", user.passwordHash)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Locks the tenant's staff until the transaction ends, so that two changes cannot take the last two owners at once. */
export async function lockStaff(tx: Kysely<Tables>, tenantId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${tenantId}, 0))`.execute(tx);
}

export async function findUser(db: Kysely<Tables>, tenantId: string, id: string): Promise<User | null> {
  const row = await db
    .selectFrom("users")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : userOf(row);
}

/** How many active owners the tenant has besides this user. */
export async function countOtherActiveOwners(
  db: Kysely<Tables>,
  tenantId: string,
  id: string,
): Promise<number> {
  const { count } = await db
    .selectFrom("users")
    .select((is) => is.fn.countAll<string>().as("count"))
    .where("tenant_id", "=", tenantId)
    .where("role", "=", "owner")
    .where("active", "=", true)
    .where("id", "!=", id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Throws 409 `email_taken`. */
export async function insertUser(
  db: Kysely<Tables>,
  tenantId: string,
  user: Pick<User, "email" | "name" | "role"> & { passwordHash: string },
): Promise<User> {
  try {
    const row = await db
      .insertInto("users")
      .values({
        tenant_id: tenantId,
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
    if (violatedConstraint(error) !== "users_email_key") throw error;
    throw new ApiError("email_taken", "This e-mail belongs to a user already.");
  }
}

export async function updateUser(
  db: Kysely<Tables>,
  tenantId: string,
  user: User,
  passwordHash: string | undefined,
): Promise<void> {
  await db
    .updateTable("users")
    .set({
      name: user.name,
      role: user.role,
      active: user.active,
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
    })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", user.id)
    .execute();
}

/** The user's sessions go with it. */
export async function deleteUser(db: Kysely<Tables>, tenantId: string, id: string): Promise<void> {
  await db.deleteFrom("users").where("tenant_id", "=", tenantId).where("id", "=", id).execute();
}

/** Newest first; one row more than the limit where there is a next page. */
export async function listUsers(db: Kysely<Tables>, tenantId: string, page: PageQuery): Promise<User[]> {
  const all = db.selectFrom("users").selectAll().where("tenant_id", "=", tenantId);
  const rows = await newestFirst(all, page).execute();
  return rows.map(userOf);
}

function withPassword(row: Selectable<Tables["users"]>): UserWithPassword {
  return { ...userOf(row), tenantId: row.tenant_id, passwordHash: row.password_hash };
}

function userOf(row: Selectable<Tables["users"]>): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    active: row.active,
    createdAt: row.created_at,
  };
}
