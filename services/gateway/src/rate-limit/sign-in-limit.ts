// Limits how often a password may be guessed (interface §2). The two narrow limits stop a single attacker; the wide one
// stops many attackers together. A browser that has signed in as the user before is exempt from the wide limit, so that
// attackers elsewhere cannot lock the user out.
import { createHash } from "node:crypto";
import type { Client } from "@tradepost/http";
import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import { limitKeyOf } from "../client/client.ts";
import type { CountLimited } from "./count-limited.ts";
import type { LimiterStore } from "./limiter-store.ts";
import { rateLimited } from "./rate-limited.ts";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const FAILURES_PER_EMAIL_AND_ADDRESS = 5;
const FAILURES_PER_ADDRESS = 30;
const FAILURES_PER_EMAIL = 100;

export interface SignInLimit {
  /** Counts an attempt from this client as a failure, before the password is checked. Throws 429. */
  begin(email: string, client: Client): Promise<SignInAttempt>;
}

/** An attempt counts as a failure until it is withdrawn, so that concurrent guesses cannot exceed a limit. */
interface SignInAttempt {
  /** Also counts the attempt against the wide limit of the account. Throws 429. */
  countEverywhere(account: string): Promise<void>;
  /** Takes back all counts of the attempt, because the password was right or was not checked. */
  withdraw(): Promise<void>;
}

export function signInLimit(store: LimiterStore, countLimited: CountLimited): SignInLimit {
  const byEmailAndAddress = store.limiter("sign-in", FAILURES_PER_EMAIL_AND_ADDRESS, MINUTE_SECONDS);
  const byAddress = store.limiter("sign-in-address", FAILURES_PER_ADDRESS, MINUTE_SECONDS);
  const byEmail = store.limiter("sign-in-everywhere", FAILURES_PER_EMAIL, HOUR_SECONDS);
  return {
    begin: async (email, client) => {
      const address = limitKeyOf(client);
      const counted: [RateLimiterAbstract, string][] = [];
      const withdraw = async () => {
        await Promise.all(counted.splice(0).map(([limiter, key]) => limiter.reward(key)));
      };
      const consume = async (limiter: RateLimiterAbstract, key: string) => {
        const { state, isOver } = await consumeOne(limiter, key);
        if (!isOver) return void counted.push([limiter, key]);
        // A refused attempt is not a failure, so it must not count against the limits that it passed.
        await withdraw();
        countLimited("sign_in");
        const retryAfterSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
        throw rateLimited("Too many failed sign-ins.", String(retryAfterSeconds));
      };
      await consume(byEmailAndAddress, `${accountKey(email)} ${address}`);
      await consume(byAddress, address);
      return { countEverywhere: (account) => consume(byEmail, accountKey(account)), withdraw };
    },
  };
}

/** Counts one point. The library throws its state when the limit is exceeded, and another error when its store fails. */
export async function consumeOne(
  limiter: RateLimiterAbstract,
  key: string,
): Promise<{ state: RateLimiterRes; isOver: boolean }> {
  try {
    return { state: await limiter.consume(key), isOver: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { state: error, isOver: true };
    throw error;
  }
}

/** Hashed, so that all keys have the same length and a shared Redis holds no personal data. */
function accountKey(account: string): string {
  return createHash("sha256").update(account.toLowerCase()).digest("base64url");
}
