// Limits the cost of the requests of one API key or user, and of a tenant together (interface §1, §2).
import type { Principal, RequestContext } from "@tradepost/http";
import type { Settings } from "../config.ts";
import {
  type BucketState,
  type Charge,
  type Limits,
  rateLimited,
  type SteadySize,
  secondsUntilAdmitted,
  tokensLeft,
} from "../limits/limits.ts";

/** A full bucket admits short bursts. */
const BURST_SECONDS = 2;

/**
 * Sets the RateLimit headers; throws 429 with `Retry-After` while a bucket is empty. Readers of public links, without a
 * `tenantId`, are charged by address.
 */
export type ChargeRequest = (
  principal: Omit<Principal, "tenantId"> & { readonly tenantId: string | null },
  context: Pick<RequestContext, "responseHeaders">,
  toCharge: Charge,
) => Promise<void>;

const REQUEST_BYTES_PER_COST = 64 * 1024;
const RESPONSE_BYTES_PER_COST = 256 * 1024;
const WORK_MS_PER_COST = 10;

export function bytesCost(bodyBytes: number): number {
  return Math.floor(bodyBytes / REQUEST_BYTES_PER_COST);
}

/** Charged even if the bucket is empty. */
export function costAfterwards({
  responseBytes,
  workMs = 0,
  unchargedBytes = 0,
}: {
  responseBytes: number;
  workMs?: number | undefined;
  unchargedBytes?: number;
}): Charge {
  const ofResponse =
    Math.floor(responseBytes / RESPONSE_BYTES_PER_COST) + Math.floor(workMs / WORK_MS_PER_COST);
  return { cost: ofResponse + bytesCost(unchargedBytes), tokensNeeded: "none" };
}

type Charged = Parameters<ChargeRequest>[0];

/** 0 means no limit. */
export function requestLimit(
  { buckets, countLimited }: Limits,
  settings: Pick<Settings, "RATE_LIMIT_PER_SECOND" | "TENANT_RATE_LIMIT_PER_SECOND">,
): ChargeRequest {
  const limits = [
    {
      name: "default",
      set: "requests",
      label: "rate",
      perSecond: settings.RATE_LIMIT_PER_SECOND,
      keyOf: ({ actor }: Charged) => actor.id,
    },
    {
      name: "tenant",
      set: "tenants",
      label: "tenant_rate",
      perSecond: settings.TENANT_RATE_LIMIT_PER_SECOND,
      keyOf: ({ tenantId }: Charged) => tenantId,
    },
  ] as const;
  const inForce = limits
    .filter(({ perSecond }) => perSecond > 0)
    .map((limit) => {
      const size = { perSecond: limit.perSecond, capacity: limit.perSecond * BURST_SECONDS };
      return { ...limit, size, charge: buckets(limit.set, size) };
    });
  return async (principal, { responseHeaders }, toCharge) => {
    const policies: string[] = [];
    const remaining: string[] = [];
    for (const { name, label, keyOf, size, charge } of inForce) {
      const key = keyOf(principal);
      if (key === null) continue;
      const state = await charge(key, toCharge);
      policies.push(`"${name}";q=${size.capacity};w=${BURST_SECONDS}`);
      remaining.push(`"${name}";r=${leftOf(size, state)};t=${secondsOf(state.msUntilFull)}`);
      // The headers can show one limit: the caller's, unless the tenant's refuses.
      if (policies.length === 1 || !state.isAdmitted)
        Object.assign(responseHeaders, olderHeaders(size, state));
      responseHeaders["ratelimit-policy"] = policies.join(", ");
      responseHeaders.ratelimit = remaining.join(", ");
      if (state.isAdmitted) continue;
      countLimited(label);
      throw rateLimited(
        name === "tenant" ? "Too many requests of this tenant." : "Too many requests.",
        String(secondsUntilAdmitted(size, state.msUntilFull)),
      );
    }
  };
}

function olderHeaders(size: SteadySize, state: BucketState): Record<string, string> {
  return {
    "ratelimit-limit": String(size.capacity),
    "ratelimit-remaining": String(leftOf(size, state)),
    "ratelimit-reset": String(secondsOf(state.msUntilFull)),
  };
}

function leftOf(size: SteadySize, { msUntilFull }: BucketState): number {
  return Math.max(0, tokensLeft(size, msUntilFull));
}

function secondsOf(ms: number): number {
  return Math.ceil(ms / 1000);
}
