// Takes an e-mail and a password for a session. An unknown e-mail takes the same way as a wrong password, and so its time.
import { ApiError } from "@tradepost/http";
import type { Kysely } from "kysely";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import type { BackgroundTasks } from "../audit-log/background-tasks.ts";
import type { Client } from "../client/client.ts";
import type { SignInLimit } from "../rate-limit/sign-in-limit.ts";
import type { RefreshSecrets } from "../session/refresh-secret.ts";
import { type OpenedSession, openSession } from "../session/session-store.ts";
import type { Tables } from "../tables.ts";
import { verifyPassword } from "./password.ts";
import { findUserByEmail, type UserWithPassword } from "./user-store.ts";

interface SignIn {
  readonly db: Kysely<Tables>;
  readonly signInLimit: SignInLimit;
  readonly refreshSecrets: RefreshSecrets;
  readonly backgroundTasks: BackgroundTasks;
}

interface Given {
  readonly email: string;
  readonly password: string;
  readonly client: Client;
  readonly requestId: string;
  /** True if the browser has signed in as this user before. */
  readonly isDeviceOf: (userId: string) => boolean;
}

/** Throws 401, which reads the same whatever is wrong, and 429. */
export async function signIn(
  { db, signInLimit, refreshSecrets, backgroundTasks }: SignIn,
  given: Given,
): Promise<{ user: UserWithPassword; session: OpenedSession }> {
  const attempt = await signInLimit.begin(given.email, given.client);
  try {
    const user = await findUserByEmail(db, given.email);
    const isKnownDevice = user !== null && given.isDeviceOf(user.id);
    if (!isKnownDevice) await attempt.countEverywhere(given.email);
    const isRight = await verifyPassword(given.password, user?.passwordHash ?? null, isKnownDevice);
    const session =
      user !== null && isRight && user.active
        ? await db.transaction().execute(async (tx) => {
            const opened = await openSession(tx, user, given.client, refreshSecrets);
            if (opened !== null) await recordSignIn(tx, "auth.login", user, given);
            return opened;
          })
        : null;
    if (user !== null && session !== null) {
      await attempt.withdraw();
      return { user, session };
    }
    // Written after the response, which must not take longer for an e-mail that exists.
    if (user !== null) backgroundTasks.run(() => recordSignIn(db, "auth.login_failed", user, given));
  } catch (error) {
    // Nobody learnt whether the password was right.
    await attempt.withdraw();
    throw error;
  }
  throw new ApiError("unauthorized", "The e-mail or the password is wrong.");
}

async function recordSignIn(
  db: Kysely<Tables>,
  action: "auth.login" | "auth.login_failed",
  { id, name, tenantId }: UserWithPassword,
  { client, requestId }: Given,
): Promise<void> {
  await recordAudit(
    db,
    { action, target: { type: "user", id }, changes: {} },
    { principal: { tenantId, actor: { type: "user", id, name } }, requestId, client },
  );
}
