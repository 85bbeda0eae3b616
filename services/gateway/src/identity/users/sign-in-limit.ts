// Limits how often a password or a code may be guessed (interface §2): two narrow limits against one attacker, a wide one
// against many. A browser that has signed in as the user before is exempt from the wide one, so that attackers cannot lock the
// user out.
import { createHash } from "node:crypto";
import type { Client } from "@tradepost/http";
import { limitKeyOf } from "../../client.ts";
import {
  type BucketStore,
  type CountLimited,
  ONE,
  ONE_BACK,
  rateLimited,
  secondsUntilAdmitted,
} from "../../limits/limits.ts";

const FAILURES_PER_EMAIL_AND_ADDRESS = { capacity: 5, windowSeconds: 60 };
const FAILURES_PER_ADDRESS = { capacity: 30, windowSeconds: 60 };
const FAILURES_PER_EMAIL = { capacity: 100, windowSeconds: 3_600 };

export const UNKNOWN_CLIENT: Client = { ip: null, userAgent: null };

export interface SignInLimit {
  /** Counts a failure in advance. Throws 429. */
  begin(email: string, client: Client): Promise<SignInAttempt>;
}

/** Counts until it is withdrawn, so that concurrent guesses exceed no limit. */
interface SignInAttempt {
  /** Under the wide limit of the account. Throws 429. */
  countEverywhere(account: string): Promise<void>;
  withdraw(): Promise<void>;
}

/** A null result of `work` counts, or one of which `hasFailed` says so, but not if it throws. Throws 429. */
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

export function signInLimit(
  { buckets }: Pick<BucketStore, "buckets">,
  countLimited: CountLimited,
): SignInLimit {
  const limit = (name: string, size: typeof FAILURES_PER_EMAIL) => ({ size, charge: buckets(name, size) });
  const byEmailAndAddress = limit("sign-in", FAILURES_PER_EMAIL_AND_ADDRESS);
  const byAddress = limit("sign-in-address", FAILURES_PER_ADDRESS);
  const byEmail = limit("sign-in-everywhere", FAILURES_PER_EMAIL);
  return {
    begin: async (email, client) => {
      const address = limitKeyOf(client);
      const counted: (() => unknown)[] = [];
      const withdraw = async () => {
        await Promise.all(counted.splice(0).map((giveBack) => giveBack()));
      };
      const count = async ({ size, charge }: typeof byEmail, key: string) => {
        const { isAdmitted, msUntilFull } = await charge(key, ONE);
        if (isAdmitted) return void counted.push(() => charge(key, ONE_BACK));
        // It must not count against the limits that it passed.
        await withdraw();
        countLimited("sign_in");
        throw rateLimited("Too many failed sign-ins.", String(secondsUntilAdmitted(size, msUntilFull)));
      };
      await count(byEmailAndAddress, `${accountKey(email)} ${address}`);
      await count(byAddress, address);
      return { countEverywhere: (account) => count(byEmail, accountKey(account)), withdraw };
    },
  };
}

/** Hashed, so that a shared Redis holds no personal data. */
function accountKey(account: string): string {
  return createHash("sha256").update(account.toLowerCase()).digest("base64url");
}
