// Makes a one-time link with which a user sets a first or a forgotten password, with its audit entry.
import { ApiError, notFound } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { type AuditCause, recordAudit } from "../audit-log/audit-log-store.ts";
import type { Tables } from "../tables.ts";
import { insertSetupLink, type SetupLink } from "./setup-link-store.ts";
import type { User } from "./user.ts";
import { lockUser } from "./user-store.ts";

/**
 * Runs in a transaction. The user's earlier link no longer works. `authorize` throws if the caller may not make a link for
 * this user. Throws 404, and 409 `conflict` for an inactive user, who could not use it.
 */
export async function makeSetupLink(
  tx: Tenant<Tables>,
  userId: string,
  authorize: (user: User) => void,
  cause: AuditCause,
): Promise<SetupLink> {
  const user = await lockUser(tx, userId);
  if (user === null) throw notFound("user");
  authorize(user);
  if (!user.active) throw new ApiError("conflict", "The user is not active; activate the user first.");
  const link = await insertSetupLink(tx, userId);
  const target = { type: "user", id: userId };
  const changes = { expiresAt: link.expiresAt };
  await recordAudit(tx, { action: "user.setup_link_made", target, changes }, cause);
  return link;
}
