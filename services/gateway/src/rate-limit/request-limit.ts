// How many requests a second one key or user may make, told in the RateLimit headers of every answer (contract §1).
import { ApiError, type Call, type Principal } from "@tradepost/http";
import { RateLimiterRes } from "rate-limiter-flexible";
import type { LimiterStore } from "./limiter-store.ts";

const WINDOW_SECONDS = 1;

/** In: requests a second, 0 for no limit. Out: counts a call and sets its headers; throws 429 past the limit. */
export function requestLimit(store: LimiterStore, perSecond: number) {
  if (perSecond === 0) return async () => {};
  const limiter = store.limiter("requests", perSecond, WINDOW_SECONDS);
  return async (principal: Principal, call: Pick<Call, "answerHeaders">): Promise<void> => {
    const { state, isOver } = await count(() => limiter.consume(principal.actor.id));
    const resetSeconds = String(Math.ceil(state.msBeforeNext / 1000));
    Object.assign(call.answerHeaders, {
      "ratelimit-limit": String(perSecond),
      "ratelimit-remaining": String(Math.max(0, state.remainingPoints)),
      "ratelimit-reset": resetSeconds,
    });
    if (isOver) throw tooMany("Too many requests.", resetSeconds);
  };
}

/** The library throws its own state where the limit is passed, and anything else where its store fails. */
export async function count(
  consume: () => Promise<RateLimiterRes>,
): Promise<{ state: RateLimiterRes; isOver: boolean }> {
  try {
    return { state: await consume(), isOver: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { state: error, isOver: true };
    throw error;
  }
}

export function tooMany(message: string, retryAfterSeconds: string): ApiError {
  return new ApiError("rate_limited", message, { headers: { "retry-after": retryAfterSeconds } });
}
