// The tenants' quotas (interface §19). The gateway signs into each request which of them the tenant has used up, and the service refuses
// changes that would add to them. Each event needs a cause that `admit` has accepted: a handler that forgets it does not compile.
import { ApiError, type ErrorWithFields } from "@tradepost/http";
import type { Metrics } from "@tradepost/runtime";
import { z } from "zod";

/** The kinds of data of which each tenant may store a limited number of bytes. */
export const quotas = ["mediaBytes", "eventBytes"] as const;
export type Quota = (typeof quotas)[number];

/** The error of a route that adds to a quota. Every route with `emits` has it without listing it, except a DELETE. */
export const QUOTA_EXCEEDED = {
  code: "quota_exceeded",
  fields: { quota: z.enum(quotas).describe("The quota that is used up.") },
} as const satisfies ErrorWithFields;

/** The request that causes a change, and who made it. */
export interface Cause {
  readonly requestId: string;
  readonly traceparent: string;
  /** Collects the ids of the events, for the log of requests. */
  readonly caused?: string[];
  readonly principal: {
    readonly tenantId: string;
    readonly actor: { readonly type: string; readonly id: string; readonly name: string };
    /** Absent if the change was not made by a request. */
    readonly client?: { readonly ip: string | null; readonly userAgent: string | null };
    readonly passedQuotas?: readonly string[];
  };
}

declare const admitted: unique symbol;

/** A cause that may add an event. */
export type AdmittedCause = Cause & { readonly [admitted]: true };

/**
 * Call it after the other checks: a request that fails anyway, or that changes nothing, is not refused for a quota.
 *
 * @throws 409 `quota_exceeded` if the tenant has used up the quota.
 */
export function admit(cause: Cause, quota: "eventBytes"): asserts cause is AdmittedCause;
export function admit(cause: Cause, quota: "mediaBytes"): void;
export function admit({ principal }: Cause, quota: Quota): void {
  if (!principal.passedQuotas?.includes(quota)) return;
  throw new ApiError("quota_exceeded", EXCEEDED[quota], { extra: { quota } });
}

const EXCEEDED: Readonly<Record<Quota, string>> = {
  mediaBytes: "The tenant's media have used up its quota; delete some, or ask the operator for more.",
  eventBytes:
    "The tenant's events have used up its quota until older ones expire; ask the operator for more.",
};

/** For changes that no quota stops: deletions, erasures, and changes without a request. */
export function withoutQuota(cause: Cause): AdmittedCause {
  // The brand exists in the type only.
  return cause as AdmittedCause;
}

/** Returns the function that counts the errors of a service. */
export function countQuotaRefusals(metrics: Metrics): (error: ApiError) => void {
  const refusals = metrics.counter(
    "quota_refusals_total",
    "Changes that were refused because a tenant has used up a quota.",
    ["quota"],
  );
  for (const quota of quotas) refusals.inc({ quota }, 0);
  return ({ code, extra }) => {
    if (code === QUOTA_EXCEEDED.code) refusals.inc({ quota: String(extra.quota) });
  };
}
