// How often a password may be guessed (contract §2). The narrow limits stop one guesser, the wide one stops many together.
// A browser that has signed in as the user before is exempt from the wide one, so that guessers elsewhere cannot lock the
// user out.
import { createHash } from "node:crypto";
import type { RateLimiterAbstract } from "rate-limiter-flexible";
import { type Client, limitKeyOf } from "../client/client.ts";
import type { LimiterStore } from "./limiter-store.ts";
import { count, tooMany } from "./request-limit.ts";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const FAILURES_PER_EMAIL_AND_ADDRESS = 5;
const FAILURES_PER_ADDRESS = 30;
const FAILURES_PER_EMAIL = 100;

export interface SignInLimit {
  /** Counts an attempt from this client as a failure before the password is looked at. Throws 429. */
  begin(email: string, client: Client): Promise<SignInAttempt>;
}

/** Attempts count as failures until they are withdrawn, so that guesses made side by side do not get past a limit. */
interface SignInAttempt {
  /** Counts the attempt against everybody's attempts at this account together, too. Throws 429. */
  countEverywhere(account: string): Promise<void>;
  /** Takes all counts of the attempt back: its password was right, or nobody looked at it. */
  withdraw(): Promise<void>;
}

export function signInLimit(store: LimiterStore): SignInLimit {
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
        const { state, isOver } = await count(() => limiter.consume(key));
        if (!isOver) return void counted.push([limiter, key]);
        // A refused attempt is no failure: it must not use up the limits that it did pass.
        await withdraw();
        throw tooMany("Too many failed sign-ins.", String(Math.max(1, Math.ceil(state.msBeforeNext / 1000))));
      };
      await consume(byEmailAndAddress, `${accountKey(email)} ${address}`);
      await consume(byAddress, address);
      return { countEverywhere: (account) => consume(byEmail, accountKey(account)), withdraw };
    },
  };
}

/** Of one length, however long the e-mail is, and no personal data in a shared Redis. */
function accountKey(account: string): string {
  return createHash("sha256").update(account.toLowerCase()).digest("base64url");
}
