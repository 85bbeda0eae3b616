// The route by which the gateway asks a service what a tenant uses (interface §19). Its path does not begin with /v1, so no client
// reaches it through the gateway.
import { z } from "zod";
import { ok } from "./api-response.ts";
import type { Quota } from "./principal.ts";
import { type Route, route } from "./route.ts";

/** The path of the route. `?counts=true` asks for the counts too. */
export const USAGE_PATH = "/internal/usage";

const number = z.number().nonnegative();

/** The response of a service. */
export const usageReport = z.strictObject({
  /** The bytes that count towards each quota. */
  bytes: z.strictObject({ mediaBytes: number, eventBytes: number }),
  /** The tenant's rows by name, such as `orders`; null if they were not asked for. */
  counts: z.record(z.string(), number).nullable(),
});

/** The response of a service. */
export type UsageReport = z.output<typeof usageReport>;

const usageQuery = z.strictObject({ counts: z.literal("true").optional() });

/**
 * Returns the route. `bytes` must read few rows, because it is asked for every few seconds while a tenant is active; `counts` may read an
 * index.
 */
export function usageRoute(usage: {
  readonly bytes: (tenantId: string) => Promise<Record<Quota, number>>;
  readonly counts: (tenantId: string) => Promise<Record<string, number>>;
}): Route {
  return route({
    method: "GET",
    path: USAGE_PATH,
    module: null,
    role: "owner",
    scope: null,
    query: usageQuery,
    about: null,
    handle: async ({ principal: { tenantId }, query }) => {
      const [bytes, counts] = await Promise.all([
        usage.bytes(tenantId),
        query.counts === undefined ? null : usage.counts(tenantId),
      ]);
      return ok({ bytes, counts } satisfies UsageReport);
    },
  });
}
