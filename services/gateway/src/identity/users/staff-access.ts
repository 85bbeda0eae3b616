// Changes the access of users for `npm run ops -- user` (interface §9), and ends it after a restore.
import { ApiError } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import { type AuditCause, OPERATOR, type OperatorActor } from "../../audit-log/audit-log.ts";
import type { Tables, Tenant } from "../../tables.ts";
import type { OneTimeToken } from "../signer.ts";
import { resetFactor } from "./second-factor.ts";
import { makeSetupLink } from "./setup-link.ts";
import { makeSignInLink } from "./sign-in-link.ts";
import { findUsersByEmail, lastSignInAt } from "./user-store.ts";

/** Oldest first. Throws an Error for the operator. */
export async function listStaff(db: Kysely<Tables>, slug: string) {
  const tenant = await db.selectFrom("tenants").select("id").where("slug", "=", slug).executeTakeFirst();
  if (tenant === undefined) throw new Error(`There is no tenant with the slug ${slug}.`);
  return await db
    .selectFrom("users")
    .select(["id as userId", "email", "role", "active", lastSignInAt.as("lastSignInAt")])
    .where("tenant_id", "=", tenant.id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function makeSetupLinkFor(db: Kysely<Tables>, email: string, actor: OperatorActor = OPERATOR) {
  return await actOnUser(db, email, actor, (tx, userId, cause) => makeSetupLink(tx, userId, () => {}, cause));
}

/** For the launcher. Throws an Error if the user is inactive or has a second factor, which the link would bypass. */
export async function makeSignInLinkFor(db: Kysely<Tables>, email: string): Promise<OneTimeToken> {
  return await actOnUser(db, email, OPERATOR, makeSignInLink);
}

/** Works for the only owner, too. Returns the number of ended sessions. */
export async function resetSecondFactorOf(
  db: Kysely<Tables>,
  email: string,
  actor: OperatorActor = OPERATOR,
): Promise<number> {
  return await actOnUser(db, email, actor, (tx, userId, cause) => resetFactor(tx, userId, () => {}, cause));
}

async function actOnUser<Result>(
  db: Kysely<Tables>,
  email: string,
  actor: OperatorActor,
  act: (tx: Tenant, userId: string, cause: AuditCause) => Promise<Result>,
): Promise<Result> {
  const [user, ...others] = await findUsersByEmail(db, email);
  if (user === undefined) throw new Error(`No user has the e-mail ${email}.`);
  if (others.length > 0) {
    throw new Error(
      `Several tenants have added ${email}, and nobody has confirmed it. Their admins can make links.`,
    );
  }
  const { id, tenantId } = user;
  const cause = { principal: { tenantId, actor }, requestId: newId() };
  try {
    return await tenantOf(db, tenantId).transaction((tx) => act(tx, id, cause));
  } catch (error) {
    throw error instanceof ApiError ? new Error(error.message, { cause: error }) : error;
  }
}

/**
 * Ends every session, sign-in and set-up link, which may have ended or been used after the restored moment. Returns all valid
 * keys, which may have been revoked since, as only the owners know.
 */
export async function endAccess(tx: Kysely<Tables>) {
  const sessions = await tx
    .updateTable("sessions")
    .set({ ended_at: sql<Date>`now()` })
    .where("ended_at", "is", null)
    .executeTakeFirst();
  const links = await tx.deleteFrom("setup_links").executeTakeFirst();
  await tx.deleteFrom("unfinished_sign_ins").execute();
  const keys = await tx
    .selectFrom("api_keys")
    .select(["tenant_id as tenantId", "id", "key_id as keyId", "label", "last_used_at as lastUsedAt"])
    .where("revoked_at", "is", null)
    .where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", sql<Date>`now()`)]))
    .orderBy("tenant_id")
    .orderBy("id")
    .execute();
  return {
    sessionsEnded: Number(sessions.numUpdatedRows),
    setupLinksEnded: Number(links.numDeletedRows),
    keys,
  };
}
