// How often sign-in may fail in a minute: 5 times for an e-mail, 30 times for an address (contract §2).
import type { LimiterStore } from "./limiter-store.ts";
import { count, tooMany } from "./request-limit.ts";

const WINDOW_SECONDS = 60;
const FAILURES_PER_EMAIL = 5;
const FAILURES_PER_ADDRESS = 30;

export interface SignInLimit {
  /**
   * Counts an attempt as a failure before its password is looked at, so that attempts made side by side do not get
   * past the limit. Throws 429, which the right password cannot undo until the minute has passed.
   */
  begin(email: string, address: string): Promise<void>;
  /** Takes the count of one attempt back: its password was right. */
  succeeded(email: string, address: string): Promise<void>;
}

export function signInLimit(store: LimiterStore): SignInLimit {
  const byEmail = store.limiter("sign-in-email", FAILURES_PER_EMAIL, WINDOW_SECONDS);
  const byAddress = store.limiter("sign-in-address", FAILURES_PER_ADDRESS, WINDOW_SECONDS);
  return {
    begin: async (email, address) => {
      for (const [limiter, key] of [
        [byAddress, address],
        [byEmail, email.toLowerCase()],
      ] as const) {
        const { state, isOver } = await count(() => limiter.consume(key));
        if (isOver) throw tooMany("Too many failed sign-ins.", String(Math.ceil(state.msBeforeNext / 1000)));
      }
    },
    succeeded: async (email, address) => {
      await Promise.all([byAddress.reward(address), byEmail.reward(email.toLowerCase())]);
    },
  };
}
