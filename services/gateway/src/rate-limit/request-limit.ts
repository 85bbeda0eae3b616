// Limits the requests of one key or user by their cost, and shows what is left in the RateLimit headers (contract §1, §2).
import { ApiError, type Principal, type RequestContext } from "@tradepost/http";
import { RateLimiterRes } from "rate-limiter-flexible";
import type { CountLimited } from "./count-limited.ts";
import type { LimiterStore } from "./limiter-store.ts";
import { type BucketState, type Charge, msUntilAdmitted, tokensLeft } from "./token-bucket.ts";

/** How much more than a second's requests may come at once. */
const BURST_SECONDS = 2;

/** Charges the caller and sets the headers; throws 429 with `Retry-After` while the bucket is empty. */
export type ChargeRequest = (
  principal: Principal,
  context: Pick<RequestContext, "responseHeaders">,
  toCharge: Charge,
) => Promise<void>;

/** What every request costs; its body may cost more (`order-lines.ts`). */
export const ONE_REQUEST: Charge = { cost: 1, tokensNeeded: 1 };

/** In: the cost a second that one key or user may cause, 0 for no limit. */
export function requestLimit(
  store: LimiterStore,
  perSecond: number,
  countLimited: CountLimited,
): ChargeRequest {
  if (perSecond === 0) return async () => {};
  const size = { perSecond, capacity: perSecond * BURST_SECONDS };
  const charge = store.buckets("requests", size);
  const headers = ({ msUntilFull }: BucketState) => ({
    "ratelimit-limit": String(size.capacity),
    "ratelimit-remaining": String(Math.max(0, tokensLeft(size, msUntilFull))),
    "ratelimit-reset": String(secondsOf(msUntilFull)),
  });
  return async ({ actor }, context, toCharge) => {
    const state = await charge(actor.id, toCharge);
    Object.assign(context.responseHeaders, headers(state));
    if (state.isAdmitted) return;
    countLimited("rate");
    const retryAfterSeconds = Math.max(1, secondsOf(msUntilAdmitted(size, state.msUntilFull)));
    throw tooMany("Too many requests.", String(retryAfterSeconds));
  };
}

function secondsOf(ms: number): number {
  return Math.ceil(ms / 1000);
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
