// Reads and writes sessions. A sign-in opens a session, each refresh replaces its secret, and a logout, a new password or a
// reused secret ends it.
import { timingSafeEqual } from "node:crypto";
import type { Client, PageQuery } from "@tradepost/http";
import { newestFirst, type Tenant } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../tables.ts";
import { hashOfSecret, type RefreshSecrets } from "./refresh-secret.ts";
import { endUnfinishedSignIns } from "./unfinished-sign-in.ts";

/** A session expires this long after the sign-in. */
export const SESSION_DAYS = 30;

export interface OpenedSession {
  readonly id: string;
  /** The database has only its hash. */
  readonly refreshSecret: string;
}

/** A session with its tenant and user. */
export interface OwnedSession {
  readonly id: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly userName: string;
}

/** Runs in the transaction of the sign-in, which has locked the user. */
export async function openSession(
  tx: Tenant<Tables>,
  userId: string,
  client: Client,
  secrets: RefreshSecrets,
): Promise<OpenedSession> {
  const id = newId();
  const refreshSecret = secrets.issue(id);
  await tx.db
    .insertInto("sessions")
    .values({
      tenant_id: tx.tenantId,
      id,
      user_id: userId,
      refresh_hash: hashOfSecret(refreshSecret),
      expires_at: sql<Date>`now() + ${SESSION_DAYS} * interval '1 day'`,
      ip: client.ip,
      user_agent: client.userAgent,
    })
    .execute();
  return { id, refreshSecret };
}

/**
 * Locks the session until the transaction ends, so that of two refreshes with the same secret only the first finds it
 * current. Resolves with null if the session has ended or expired, or its user is inactive.
 */
export async function lockSession(
  db: Kysely<Tables>,
  id: string,
): Promise<(OwnedSession & { isCurrent: (secret: string) => boolean }) | null> {
  const row = await db
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
        isCurrent: (secret) => timingSafeEqual(row.refresh_hash, hashOfSecret(secret)),
      };
}

export async function rotateRefreshSecret(
  tx: Tenant<Tables>,
  sessionId: string,
  refreshSecret: string,
  client: Client,
): Promise<void> {
  await tx.db
    .updateTable("sessions")
    .set({
      refresh_hash: hashOfSecret(refreshSecret),
      last_used_at: sql<Date>`now()`,
      ip: client.ip,
      user_agent: client.userAgent,
    })
    .where("tenant_id", "=", tx.tenantId)
    .where("id", "=", sessionId)
    .execute();
}

/** Ends one session of a user: its tokens are refused from the next request on. Resolves with false if it was not open. */
export async function endSession(
  tenant: Tenant<Tables>,
  { userId, id }: Pick<OwnedSession, "userId" | "id">,
): Promise<boolean> {
  const { numUpdatedRows } = await endOpenSessions(tenant, userId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Ends the user's sessions, except `exceptId`, and the sign-ins that wait for the second factor. Resolves with the number of
 * sessions.
 */
export async function endUserSessions(
  tenant: Tenant<Tables>,
  userId: string,
  { exceptId }: { exceptId?: string } = {},
): Promise<number> {
  await endUnfinishedSignIns(tenant, userId);
  const all = endOpenSessions(tenant, userId);
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

/** The open sessions of a user, newest first; one row more than the limit if there is a next page. */
export async function listSessions(
  tenant: Tenant<Tables>,
  userId: string,
  page: PageQuery,
): Promise<SessionOfUser[]> {
  const open = tenant.db
    .selectFrom("sessions")
    .select([
      "id",
      "created_at as createdAt",
      sql<Date>`coalesce(last_used_at, created_at)`.as("lastUsedAt"),
      "expires_at as expiresAt",
      "ip",
      "user_agent as userAgent",
    ])
    .where("tenant_id", "=", tenant.tenantId)
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", sql<Date>`now()`);
  return await newestFirst(open, page).execute();
}

function endOpenSessions(tenant: Tenant<Tables>, userId: string) {
  return tenant.db
    .updateTable("sessions")
    .set({ ended_at: sql<Date>`now()` })
    .where("tenant_id", "=", tenant.tenantId)
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", sql<Date>`now()`);
}
