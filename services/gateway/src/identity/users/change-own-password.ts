// Changes the signed-in user's password, under the limits of a sign-in.
import { type ApiError, invalid } from "@tradepost/http";
import type { AuditCause } from "../../audit-log/audit-log.ts";
import type { Tenant } from "../../tables.ts";
import type { IdentityContext } from "../context.ts";
import { refuseOwnEmail } from "../passwords/common-password.ts";
import { knownAs } from "../passwords/hash-queue.ts";
import { recordAboutUser } from "../record-about-user.ts";
import { endUserSessions, isFreshAtProvider } from "../sessions/session-store.ts";
import { endSetupLink } from "./setup-link.ts";
import { limitedAsSignIn } from "./sign-in-limit.ts";
import { findUserWithPassword, replacePassword, type UserWithPassword } from "./user-store.ts";

interface PasswordChange {
  readonly currentPassword?: string | undefined;
  readonly newPassword: string;
  readonly sessionId: string;
}

/**
 * `finish` runs last in the transaction, with the number of ended sessions. Throws 422 if `currentPassword` is wrong or
 * `newPassword` is the own e-mail, and 429.
 */
export async function changeOwnPassword<Result>(
  tenant: Tenant,
  context: IdentityContext,
  change: PasswordChange,
  cause: AuditCause,
  finish: (tx: Tenant, endedCount: number) => Promise<Result>,
): Promise<Result> {
  const user = await verifyOwnPassword(tenant, context, change, cause);
  refuseOwnEmail("newPassword", change.newPassword, user.email);
  const passwordHash = await context.passwords.hash(change.newPassword, knownAs(user));
  return await tenant.transaction(async (tx) => {
    if (!(await replacePassword(tx, user, passwordHash))) throw wrongPassword();
    await endSetupLink(tx, user.id);
    const endedCount = await endUserSessions(tx, user.id, { exceptId: change.sessionId });
    await recordAboutUser(tx, "auth.password_changed", user.id, cause, { endedCount });
    return await finish(tx, endedCount);
  });
}

/** A user without a password must just have signed in at the provider. Throws 422 and 429. */
export async function verifyOwnPassword(
  tenant: Tenant,
  { passwords, signInLimit }: IdentityContext,
  { currentPassword, sessionId }: Pick<PasswordChange, "currentPassword" | "sessionId">,
  cause: AuditCause,
): Promise<UserWithPassword> {
  if (currentPassword === undefined) {
    const user = await findUserWithPassword(tenant, cause.principal.actor.id);
    if (user !== null && (await isFreshAtProvider(tenant, sessionId))) return user;
    throw wrongPassword("is required, unless you have signed in at your provider within 5 minutes");
  }
  return await limitedAsSignIn(tenant, signInLimit, cause, async (caller) => {
    const matched = await passwords.match(currentPassword, [caller.passwordHash], knownAs(caller));
    if (matched === null) throw wrongPassword();
    return caller;
  });
}

function wrongPassword(message = "is not your password"): ApiError {
  return invalid([{ path: "currentPassword", message }]);
}
