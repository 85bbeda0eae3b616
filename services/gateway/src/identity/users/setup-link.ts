// One-time links with which a user sets a password, under the limits of a sign-in. A user has at most one, and the database only the hash
// of its token.
import { ApiError, required } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { type Kysely, sql } from "kysely";
import type { AuditCause } from "../../audit-log/audit-log.ts";
import type { Tables, Tenant } from "../../tables.ts";
import type { IdentityContext } from "../context.ts";
import { refuseOwnEmail } from "../passwords/common-password.ts";
import { knownAs } from "../passwords/hash-queue.ts";
import { type AnonymousRequest, recordAboutUser, recordByUser } from "../record-about-user.ts";
import { endUserSessions } from "../sessions/session-store.ts";
import { hashSecret, newToken, type OneTimeToken } from "../signer.ts";
import { refuseSuspended } from "../tenants/operated-tenant.ts";
import { asAttempt } from "./sign-in-limit.ts";
import { confirmUser, lockUser, refuseLostEmail, type User, updateUser } from "./user-store.ts";

const LIFETIME_HOURS = 24;

/**
 * Call it in a transaction. Replaces the user's earlier link. `authorize` may throw. Throws 404, 409 `conflict` for an inactive
 * user, and 409 `email_taken` if another user has confirmed the e-mail.
 */
export async function makeSetupLink(
  tx: Tenant,
  userId: string,
  authorize: (user: User) => void,
  cause: AuditCause,
): Promise<OneTimeToken> {
  const user = required(await lockUser(tx, userId), "user");
  authorize(user);
  if (!user.active) throw new ApiError("conflict", "The user is not active; activate the user first.");
  await refuseLostEmail(tx, userId);
  const { token, hash } = newToken();
  const link = {
    token_hash: hash,
    created_at: sql<Date>`now()`,
    expires_at: sql<Date>`now() + ${LIFETIME_HOURS} * interval '1 hour'`,
    by_operator: cause.principal.actor.type === "operator",
  };
  const { expiresAt } = await tx.db
    .insertInto("setup_links")
    .values({ tenant_id: tx.tenantId, user_id: userId, ...link })
    .onConflict((conflict) => conflict.columns(["tenant_id", "user_id"]).doUpdateSet(link))
    .returning("expires_at as expiresAt")
    .executeTakeFirstOrThrow();
  await recordAboutUser(tx, "user.setup_link_made", userId, cause, { expiresAt });
  return { token, expiresAt };
}

interface SetupRequest extends AnonymousRequest {
  readonly token: string;
  readonly password: string;
}

// The limits of an address count this in place of an e-mail. The wide limit does not: attackers could otherwise keep all users from
// setting their passwords.
const ACCOUNT = "set-up link";

/**
 * Only a success uses the link up. Throws 401, 422 if the password is the own e-mail, 403 `tenant_suspended`, 409
 * `email_taken` if another tenant's user has confirmed the e-mail first, and 429.
 */
export async function setUpPassword(context: IdentityContext, request: SetupRequest): Promise<User> {
  const { signInLimit, countAuthFailure } = context;
  const work = () => applyLink(context, request);
  const user = await asAttempt(signInLimit, [ACCOUNT, request.client], work);
  if (user !== null) return user;
  countAuthFailure("setup_link");
  throw new ApiError("unauthorized", "The set-up link was used, has expired or is unknown.");
}

/** Checks the token before the expensive hash, and again in the transaction. */
async function applyLink({ db, passwords }: IdentityContext, request: SetupRequest): Promise<User | null> {
  const found = await findUserOfLink(db, request.token);
  if (found === null) return null;
  const tenant = tenantOf(db, found.tenantId);
  await refuseSuspended(tenant);
  await refuseLostEmail(tenant, found.userId);
  refuseOwnEmail("password", request.password, found.email);
  const hashedFor = knownAs({ id: found.userId, tenantId: found.tenantId });
  const passwordHash = await passwords.hash(request.password, hashedFor);
  return await tenant.transaction((tx) => setPassword(tx, found.userId, passwordHash, request));
}

async function setPassword(
  tx: Tenant,
  userId: string,
  passwordHash: string,
  request: SetupRequest,
): Promise<User | null> {
  const user = await lockUser(tx, userId);
  const link = user?.active ? await takeSetupLink(tx, userId, request.token) : null;
  if (user === null || link === null) return null;
  await updateUser(tx, user, passwordHash, link);
  await confirmUser(tx, { id: userId, passwordHash });
  const endedCount = await endUserSessions(tx, userId);
  await recordByUser(tx, "auth.password_changed", user, request, { endedCount, by: "setup_link" });
  return { ...user, isConfirmed: true };
}

async function findUserOfLink(db: Kysely<Tables>, token: string) {
  const row = await db
    .selectFrom("setup_links as link")
    .innerJoin("users", (join) =>
      join.onRef("users.tenant_id", "=", "link.tenant_id").onRef("users.id", "=", "link.user_id"),
    )
    .select(["link.tenant_id as tenantId", "link.user_id as userId", "users.email"])
    .where("link.token_hash", "=", hashSecret(token))
    .where("link.expires_at", ">", sql<Date>`now()`)
    .where("users.active", "=", true)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns null if it was used, replaced or ended. */
async function takeSetupLink(tx: Tenant, userId: string, token: string) {
  const row = await deleteLink(tx, userId)
    .where("token_hash", "=", hashSecret(token))
    .where("expires_at", ">", sql<Date>`now()`)
    .returning("by_operator as byOperator")
    .executeTakeFirst();
  return row ?? null;
}

export async function endSetupLink(tx: Tenant, userId: string): Promise<void> {
  await deleteLink(tx, userId).execute();
}

function deleteLink(tx: Tenant, userId: string) {
  return tx.db.deleteFrom("setup_links").where("tenant_id", "=", tx.tenantId).where("user_id", "=", userId);
}
