// Sessions: opened by a sign-in, carried on by the refresh cookie, ended by a logout, a new password, or a secret that is
// used twice.
import { timingSafeEqual } from "node:crypto";
import type { PageQuery } from "@tradepost/http";
import { newestFirst } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Client } from "../client/client.ts";
import type { Tables } from "../tables.ts";
import { hashOfSecret, type RefreshSecrets } from "./refresh-secret.ts";

/** How long a sign-in lasts without a new password. */
export const SESSION_DAYS = 30;

export interface OpenedSession {
  readonly id: string;
  /** Only its hash is kept. */
  readonly refreshSecret: string;
}

/** A session and whose it is. */
export interface OwnedSession {
  readonly id: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly userName: string;
}

/**
 * In: the transaction of the sign-in, and the user with the hash that the password was compared with. Out: the session, or
 * null if the password has been changed or the user deactivated meanwhile: comparing takes long enough for that.
 */
export async function openSession(
  tx: Kysely<Tables>,
  user: { tenantId: string; id: string; passwordHash: string },
  client: Client,
  secrets: RefreshSecrets,
): Promise<OpenedSession | null> {
  // The lock makes a change of the password wait; it then ends this session too.
  const isStillRight = await tx
    .selectFrom("users")
    .select("id")
    .where("tenant_id", "=", user.tenantId)
    .where("id", "=", user.id)
    .where("password_hash", "=", user.passwordHash)
    .where("active", "=", true)
    .forShare()
    .executeTakeFirst();
  if (isStillRight === undefined) return null;
  const id = newId();
  const refreshSecret = secrets.issue(id);
  await tx
    .insertInto("sessions")
    .values({
      tenant_id: user.tenantId,
      id,
      user_id: user.id,
      refresh_hash: hashOfSecret(refreshSecret),
      expires_at: sql<Date>`now() + ${SESSION_DAYS} * interval '1 day'`,
      ip: client.ip,
      user_agent: client.userAgent,
    })
    .execute();
  return { id, refreshSecret };
}

/**
 * Locks the session until the transaction ends, so that of two refreshes with one secret only the first finds it present.
 * Out: null if the session is over or its user inactive.
 */
export async function lockSession(
  tx: Kysely<Tables>,
  id: string,
): Promise<(OwnedSession & { isPresent: (secret: string) => boolean }) | null> {
  const row = await tx
    .selectFrom("sessions")
    .innerJoin("users", (join) =>
      join.onRef("users.tenant_id", "=", "sessions.tenant_id").onRef("users.id", "=", "sessions.user_id"),
    )
    .select(["sessions.tenant_id", "sessions.user_id", "sessions.refresh_hash", "users.name"])
    .where("sessions.id", "=", id)
    .where("sessions.ended_at", "is", null)
    .where("sessions.expires_at", ">", sql<Date>`now()`)
    .where("users.active", "=", true)
    .forUpdate("sessions")
    .executeTakeFirst();
  return row === undefined
    ? null
    : {
        id,
        tenantId: row.tenant_id,
        userId: row.user_id,
        userName: row.name,
        isPresent: (secret) => timingSafeEqual(row.refresh_hash, hashOfSecret(secret)),
      };
}

export async function rotateRefreshSecret(
  tx: Kysely<Tables>,
  { tenantId, id }: Pick<OwnedSession, "tenantId" | "id">,
  refreshSecret: string,
  client: Client,
): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({
      refresh_hash: hashOfSecret(refreshSecret),
      last_used_at: sql<Date>`now()`,
      ip: client.ip,
      user_agent: client.userAgent,
    })
    .where("tenant_id", "=", tenantId)
    .where("id", "=", id)
    .execute();
}

/** Ends one session of a user; its tokens are refused from the next request on. Out: whether it was still open. */
export async function endSession(
  db: Kysely<Tables>,
  { tenantId, userId, id }: Pick<OwnedSession, "tenantId" | "userId" | "id">,
): Promise<boolean> {
  const { numUpdatedRows } = await endOpenSessions(db, tenantId, userId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Ends the user's sessions, but for one if it is given: after a new password nobody stays signed in by the old one.
 * Out: how many.
 */
export async function endUserSessions(
  db: Kysely<Tables>,
  { tenantId, userId, exceptId }: { tenantId: string; userId: string; exceptId?: string },
): Promise<number> {
  const all = endOpenSessions(db, tenantId, userId);
  const ending = exceptId === undefined ? all : all.where("id", "!=", exceptId);
  const { numUpdatedRows } = await ending.executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export interface SessionOfUser {
  readonly id: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** The open sessions of a user, newest first; one more than the limit if there is a next page. */
export async function listSessions(
  db: Kysely<Tables>,
  tenantId: string,
  userId: string,
  page: PageQuery,
): Promise<SessionOfUser[]> {
  const open = db
    .selectFrom("sessions")
    .select([
      "id",
      "created_at as createdAt",
      sql<Date>`coalesce(last_used_at, created_at)`.as("lastUsedAt"),
      "expires_at as expiresAt",
      "ip",
      "user_agent as userAgent",
    ])
    .where("tenant_id", "=", tenantId)
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", sql<Date>`now()`);
  return await newestFirst(open, page).execute();
}

function endOpenSessions(db: Kysely<Tables>, tenantId: string, userId: string) {
  return db
    .updateTable("sessions")
    .set({ ended_at: sql<Date>`now()` })
    .where("tenant_id", "=", tenantId)
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", sql<Date>`now()`);
}
