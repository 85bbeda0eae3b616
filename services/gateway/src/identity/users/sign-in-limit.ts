// Limits how often a password or a code may be guessed (interface §2): two narrow limits against one attacker, a wide one
// against many. A browser that has signed in as the user before is exempt from the wide one, so that attackers cannot lock the
// user out.
import { createHash } from "node:crypto";
import { ApiError, type Client } from "@tradepost/http";
import type { AuditCause } from "../../audit-log/audit-log.ts";
import { limitKeyOf } from "../../client.ts";
import { type Limits, ONE, ONE_BACK, rateLimited, secondsUntilAdmitted } from "../../limits/limits.ts";
import type { Tenant } from "../../tables.ts";
import { recordAboutUser } from "../record-about-user.ts";
import { findUserWithPassword, type UserWithPassword } from "./user-store.ts";

const FAILURES_PER_EMAIL_AND_ADDRESS = { capacity: 5, windowSeconds: 60 };
const FAILURES_PER_ADDRESS = { capacity: 30, windowSeconds: 60 };
const FAILURES_PER_EMAIL = { capacity: 100, windowSeconds: 3_600 };

const UNKNOWN_CLIENT: Client = { ip: null, userAgent: null };

type SignInLimit = ReturnType<typeof signInLimit>;
/** Counts until it is withdrawn, so that concurrent guesses exceed no limit. */
type SignInAttempt = Awaited<ReturnType<SignInLimit["begin"]>>;

/** Counts a failure if `work` returns null, or as `hasFailed` says, but not if `work` throws. Throws 429. */
export async function asAttempt<Result>(
  limit: SignInLimit,
  [account, client]: readonly [string, Client],
  work: (attempt: SignInAttempt) => Promise<Result>,
  hasFailed: (result: Result) => boolean = (result) => result === null,
): Promise<Result> {
  const attempt = await limit.begin(account, client);
  const result = await work(attempt).catch(async (error: unknown) => {
    await attempt.withdraw();
    throw error;
  });
  if (!hasFailed(result)) await attempt.withdraw();
  return result;
}

/** A 422 of `work` counts and is audited as a failed sign-in. Throws 429 beyond a limit, and 401 if the user was deleted. */
export async function limitedAsSignIn<Result>(
  tenant: Tenant,
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

export function signInLimit({ buckets, countLimited }: Omit<Limits, "stop">) {
  const limit = (name: string, size: typeof FAILURES_PER_EMAIL) => ({ size, charge: buckets(name, size) });
  const byEmailAndAddress = limit("sign-in", FAILURES_PER_EMAIL_AND_ADDRESS);
  const byAddress = limit("sign-in-address", FAILURES_PER_ADDRESS);
  const byEmail = limit("sign-in-everywhere", FAILURES_PER_EMAIL);
  return {
    /** Counts a failure in advance. Throws 429. */
    begin: async (email: string, client: Client) => {
      const address = limitKeyOf(client);
      const counted: (() => unknown)[] = [];
      const withdraw = async () => {
        await Promise.all(counted.splice(0).map((giveBack) => giveBack()));
      };
      const count = async ({ size, charge }: typeof byEmail, key: string) => {
        const { isAdmitted, msUntilFull } = await charge(key, ONE);
        if (isAdmitted) return void counted.push(() => charge(key, ONE_BACK));
        // A refused attempt must not count against the limits that it passed.
        await withdraw();
        countLimited("sign_in");
        throw rateLimited("Too many failed sign-ins.", String(secondsUntilAdmitted(size, msUntilFull)));
      };
      await count(byEmailAndAddress, `${accountKey(email)} ${address}`);
      await count(byAddress, address);
      return {
        /** Under the wide limit of the account. Throws 429. */
        countEverywhere: (account: string) => count(byEmail, accountKey(account)),
        withdraw,
      };
    },
  };
}

/** Hashed, so that a shared Redis holds no personal data. */
function accountKey(account: string): string {
  return createHash("sha256").update(account.toLowerCase()).digest("base64url");
}
