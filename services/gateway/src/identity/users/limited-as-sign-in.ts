// Counts wrong passwords and codes of a signed-in user under the limits of a sign-in.
import { ApiError } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import type { AuditCause } from "../../audit-log/audit-log.ts";
import type { Tables } from "../../tables.ts";
import { recordAboutUser } from "../record-about-user.ts";
import { type SignInLimit, UNKNOWN_CLIENT } from "./sign-in-limit.ts";
import { findUserWithPassword, type UserWithPassword } from "./user-store.ts";

/** A 422 of `work` counts and is audited as a failed sign-in. Throws 429 beyond a limit, and 401 if the user was deleted. */
export async function limitedAsSignIn<Result>(
  tenant: Tenant<Tables>,
  signInLimit: SignInLimit,
  cause: AuditCause,
  work: (user: UserWithPassword) => Promise<Result>,
): Promise<Result> {
  const user = await findUserWithPassword(tenant, cause.principal.actor.id);
  if (user === null) throw new ApiError("unauthorized", "Sign in again.");
  const attempt = await signInLimit.begin(user.email, cause.principal.client ?? UNKNOWN_CLIENT);
  // Attackers elsewhere cannot keep a signed-in user from changing something.
  await attempt.countEverywhere(`signed in ${user.id}`);
  try {
    const result = await work(user);
    await attempt.withdraw();
    return result;
  } catch (error) {
    if (error instanceof ApiError && error.code === "validation_error") {
      await recordAboutUser(tenant, "auth.login_failed", user.id, cause, { signedIn: true });
    } else {
      await attempt.withdraw();
    }
    throw error;
  }
}
