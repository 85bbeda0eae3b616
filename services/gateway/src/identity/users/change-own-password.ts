// Changes the password of the signed-in user. It needs the current password, under the limits of a sign-in, and ends the
// user's other sessions.
import { ApiError, type Client, invalid } from "@tradepost/http";
import type { Tenant, TransactionalTenant } from "@tradepost/postgres";
import { type AuditCause, recordAudit } from "../../audit-log/audit-log.ts";
import type { Tables } from "../../tables.ts";
import { knownAs } from "../passwords/hash-queue.ts";
import type { Passwords } from "../passwords/password.ts";
import { endUserSessions } from "../sessions/session-store.ts";
import { endSetupLink } from "./setup-link.ts";
import type { SignInLimit } from "./sign-in-limit.ts";
import { findUserWithPassword, replacePassword, type UserWithPassword } from "./user-store.ts";

export interface ChangeOptions {
  readonly passwords: Passwords;
  readonly signInLimit: SignInLimit;
}

const UNKNOWN_CLIENT: Client = { ip: null, userAgent: null };

interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  /** The caller's session, which is not ended. */
  readonly sessionId: string;
}

/**
 * Resolves with the result of `finish`, which runs last in the transaction and gets the number of sessions that ended.
 * Throws 422 if `currentPassword` is wrong, and 429.
 */
export async function changeOwnPassword<Result>(
  tenant: TransactionalTenant<Tables>,
  { passwords, signInLimit }: ChangeOptions,
  change: PasswordChange,
  cause: AuditCause,
  finish: (tx: Tenant<Tables>, endedCount: number) => Promise<Result>,
): Promise<Result> {
  const user = await findUserWithPassword(tenant, cause.principal.actor.id);
  if (user === null) throw new ApiError("unauthorized", "Sign in again.");
  const client = cause.principal.client ?? UNKNOWN_CLIENT;
  await checkCurrentPassword({ passwords, signInLimit }, user, change.currentPassword, client);
  const passwordHash = await passwords.hash(change.newPassword, knownAs(user));
  return await tenant.transaction(async (tx) => {
    if (!(await replacePassword(tx, user, passwordHash))) throw wrongPassword();
    await endSetupLink(tx, user.id);
    const endedCount = await endUserSessions(tx, user.id, { exceptId: change.sessionId });
    const target = { type: "user", id: user.id };
    await recordAudit(tx, { action: "auth.password_changed", target, changes: { endedCount } }, cause);
    return await finish(tx, endedCount);
  });
}

async function checkCurrentPassword(
  { passwords, signInLimit }: ChangeOptions,
  user: UserWithPassword,
  password: string,
  client: Client,
): Promise<void> {
  const attempt = await signInLimit.begin(user.email, client);
  // Counted separately from sign-ins, so that attackers elsewhere cannot keep a signed-in user from changing the password.
  await attempt.countEverywhere(`signed in ${user.id}`);
  const isRight = await passwords
    .verify(password, user.passwordHash, knownAs(user))
    .catch(async (error: unknown) => {
      await attempt.withdraw();
      throw error;
    });
  if (!isRight) throw wrongPassword();
  await attempt.withdraw();
}

function wrongPassword(): ApiError {
  return invalid([{ path: "currentPassword", message: "is not your password" }]);
}
