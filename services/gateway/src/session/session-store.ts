// Sessions: opened by a sign-in, carried on by the refresh cookie, ended by a logout or by a secret used twice.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { newId } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

/** How long a sign-in lasts without a new password. */
export const SESSION_DAYS = 30;

export interface OpenedSession {
  readonly id: string;
  /** Only its hash is kept. */
  readonly refreshSecret: string;
}

export async function openSession(
  db: Kysely<Tables>,
  user: { tenantId: string; id: string },
): Promise<OpenedSession> {
  const id = newId();
  const refreshSecret = newSecret();
  await db
    .insertInto("sessions")
    .values({
      tenant_id: user.tenantId,
      id,
      user_id: user.id,
      refresh_hash: hash(refreshSecret),
      expires_at: sql<Date>`now() + ${SESSION_DAYS} * interval '1 day'`,
    })
    .execute();
  return { id, refreshSecret };
}

export interface RefreshedSession extends OpenedSession {
  readonly userId: string;
  readonly tenantId: string;
}

/**
 * Takes a refresh secret for a new one. Out: the session, or null where it has ended or the secret is not the present
 * one. A secret that was used before ends the session: somebody else has a copy. Nobody can tell which of the two
 * came first, so any secret but the present one counts as used.
 */
export async function refreshSession(
  db: Kysely<Tables>,
  { id, refreshSecret }: OpenedSession,
): Promise<RefreshedSession | null> {
  return await db.transaction().execute(async (tx) => {
    const session = await tx
      .selectFrom("sessions")
      .innerJoin("users", (join) =>
        join.onRef("users.tenant_id", "=", "sessions.tenant_id").onRef("users.id", "=", "sessions.user_id"),
      )
      .select(["sessions.tenant_id", "sessions.user_id", "sessions.refresh_hash"])
      .where("sessions.id", "=", id)
      .where("sessions.ended_at", "is", null)
      .where("sessions.expires_at", ">", sql<Date>`now()`)
      .where("users.active", "=", true)
      .forUpdate("sessions")
      .executeTakeFirst();
    if (session === undefined) return null;
    const isPresent = timingSafeEqual(session.refresh_hash, hash(refreshSecret));
    const next = newSecret();
    await tx
      .updateTable("sessions")
      .set(isPresent ? { refresh_hash: hash(next) } : { ended_at: sql<Date>`now()` })
      .where("tenant_id", "=", session.tenant_id)
      .where("id", "=", id)
      .execute();
    return isPresent
      ? { id, refreshSecret: next, userId: session.user_id, tenantId: session.tenant_id }
      : null;
  });
}

/** Ends the session where the secret is its present one; its tokens are refused from the next request on. */
export async function endSession(db: Kysely<Tables>, { id, refreshSecret }: OpenedSession): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ ended_at: sql<Date>`now()` })
    .where("id", "=", id)
    .where("refresh_hash", "=", hash(refreshSecret))
    .where("ended_at", "is", null)
    .execute();
}

/** Ends all of a user's sessions: after a new password nobody stays signed in by the old one. */
export async function endSessionsOf(db: Kysely<Tables>, tenantId: string, userId: string): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ ended_at: sql<Date>`now()` })
    .where("tenant_id", "=", tenantId)
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .execute();
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

function hash(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
