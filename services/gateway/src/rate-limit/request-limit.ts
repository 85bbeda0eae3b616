// Limits the cost of the requests of one API key or user, and shows what is left in the RateLimit headers (interface §1, §2).
import type { Principal, RequestContext } from "@tradepost/http";
import type { CountLimited } from "./count-limited.ts";
import type { LimiterStore } from "./limiter-store.ts";
import { rateLimited } from "./rate-limited.ts";
import { type BucketState, type Charge, msUntilAdmitted, tokensLeft } from "./token-bucket.ts";

/** The bucket holds the requests of 2 seconds, so that many may come at once. */
const BURST_SECONDS = 2;

/** Charges the caller and sets the headers; throws 429 with `Retry-After` while the bucket is empty. */
export type ChargeRequest = (
  principal: Principal,
  context: Pick<RequestContext, "responseHeaders">,
  toCharge: Charge,
) => Promise<void>;

/** The cost of every request; its body may cost more (`order-lines.ts`). */
export const ONE_REQUEST: Charge = { cost: 1, tokensNeeded: 1 };

/** `perSecond` is the cost that one key or user may cause in a second; 0 means no limit. */
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
    throw rateLimited("Too many requests.", String(retryAfterSeconds));
  };
}

function secondsOf(ms: number): number {
  return Math.ceil(ms / 1000);
}
