// One-time links to set a password. A user has at most one, and the database only the hash of its token.
import { ApiError, required } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { type Kysely, sql } from "kysely";
import type { AuditCause } from "../../audit-log/audit-log.ts";
import type { Tables } from "../../tables.ts";
import { recordAboutUser } from "../record-about-user.ts";
import { hashSecret, newToken, type OneTimeToken } from "../signer.ts";
import { lockUser, refuseLostEmail, type User } from "./user-store.ts";

/**
 * Call it in a transaction. Replaces the user's earlier link. `authorize` may throw. Throws 404, 409 `conflict` for an inactive
 * user, and 409 `email_taken` if another user has confirmed the e-mail.
 */
export async function makeSetupLink(
  tx: Tenant<Tables>,
  userId: string,
  authorize: (user: User) => void,
  cause: AuditCause,
): Promise<OneTimeToken> {
  const user = required(await lockUser(tx, userId), "user");
  authorize(user);
  if (!user.active) throw new ApiError("conflict", "The user is not active; activate the user first.");
  await refuseLostEmail(tx, userId);
  const link = await insertSetupLink(tx, userId, cause.principal.actor.type === "operator");
  await recordAboutUser(tx, "user.setup_link_made", userId, cause, { expiresAt: link.expiresAt });
  return link;
}

const LIFETIME_HOURS = 24;

/** The transaction must have locked the user. */
async function insertSetupLink(
  tx: Tenant<Tables>,
  userId: string,
  byOperator: boolean,
): Promise<OneTimeToken> {
  const { token, hash } = newToken();
  const link = {
    token_hash: hash,
    created_at: sql<Date>`now()`,
    expires_at: sql<Date>`now() + ${LIFETIME_HOURS} * interval '1 hour'`,
    by_operator: byOperator,
  };
  const { expires_at } = await tx.db
    .insertInto("setup_links")
    .values({ tenant_id: tx.tenantId, user_id: userId, ...link })
    .onConflict((conflict) => conflict.columns(["tenant_id", "user_id"]).doUpdateSet(link))
    .returning("expires_at")
    .executeTakeFirstOrThrow();
  return { token, expiresAt: expires_at };
}

export async function findUserOfLink(
  db: Kysely<Tables>,
  token: string,
): Promise<{ tenantId: string; userId: string; email: string } | null> {
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
export async function takeSetupLink(
  tx: Tenant<Tables>,
  userId: string,
  token: string,
): Promise<{ readonly byOperator: boolean } | null> {
  const row = await deleteLink(tx, userId)
    .where("token_hash", "=", hashSecret(token))
    .where("expires_at", ">", sql<Date>`now()`)
    .returning("by_operator as byOperator")
    .executeTakeFirst();
  return row ?? null;
}

export async function endSetupLink(tx: Tenant<Tables>, userId: string): Promise<void> {
  await deleteLink(tx, userId).execute();
}

function deleteLink(tx: Tenant<Tables>, userId: string) {
  return tx.db.deleteFrom("setup_links").where("tenant_id", "=", tx.tenantId).where("user_id", "=", userId);
}
