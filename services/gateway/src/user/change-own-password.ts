// A user's change of the own password: the present one is needed, as at a sign-in, and other sessions end.
import { ApiError, invalid, type Principal } from "@tradepost/http";
import type { Kysely } from "kysely";
import { type AuditCause, recordAudit } from "../audit-log/audit-log-store.ts";
import type { Client } from "../client/client.ts";
import type { SignInLimit } from "../rate-limit/sign-in-limit.ts";
import { endUserSessions } from "../session/session-store.ts";
import type { Tables } from "../tables.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { findUserWithPassword, replacePassword, type UserWithPassword } from "./user-store.ts";

interface Change {
  readonly currentPassword: string;
  readonly newPassword: string;
  /** The one that goes on. */
  readonly sessionId: string;
}

/** Throws 422 on `currentPassword` and 429. Out: how many other sessions it ended. */
export async function changeOwnPassword(
  { db, signInLimit }: { db: Kysely<Tables>; signInLimit: SignInLimit },
  change: Change,
  cause: AuditCause & { readonly principal: Principal; readonly client: Client },
): Promise<number> {
  const { tenantId, actor } = cause.principal;
  const user = await findUserWithPassword(db, tenantId, actor.id);
  if (user === null) throw new ApiError("unauthorized", "Sign in again.");
  await proveCurrentPassword(signInLimit, user, change.currentPassword, cause.client);
  const passwordHash = await hashPassword(change.newPassword);
  return await db.transaction().execute(async (tx) => {
    if (!(await replacePassword(tx, user, passwordHash))) throw wrongPassword();
    const endedCount = await endUserSessions(tx, { tenantId, userId: user.id, exceptId: change.sessionId });
    const target = { type: "user", id: user.id };
    await recordAudit(tx, { action: "auth.password_changed", target, changes: { endedCount } }, cause);
    return endedCount;
  });
}

async function proveCurrentPassword(
  signInLimit: SignInLimit,
  user: UserWithPassword,
  password: string,
  client: Client,
): Promise<void> {
  const attempt = await signInLimit.begin(user.email, client);
  // Counted apart from sign-ins, or guessers elsewhere could keep a signed-in user from changing the password.
  await attempt.countEverywhere(`signed in ${user.id}`);
  const isRight = await verifyPassword(password, user.passwordHash, true).catch(async (error: unknown) => {
    await attempt.withdraw();
    throw error;
  });
  if (!isRight) throw wrongPassword();
  await attempt.withdraw();
}

function wrongPassword(): ApiError {
  return invalid([{ path: "currentPassword", message: "is not your password" }]);
}
