// The routes by which the gateway asks a service what a tenant uses (interface §19), and which audit entries it has published
// (decision 0017). Their paths do not begin with /v1, so no client reaches them through the gateway.
import { z } from "zod";
import { ok } from "./api-response.ts";
import type { Quota } from "./principal.ts";
import { type Route, route } from "./route.ts";

/** `?counts=true` asks for the counts too. */
export const USAGE_PATH = "/internal/usage";

const number = z.number().nonnegative();

export const usageReport = z.strictObject({
  bytes: z.strictObject({ mediaBytes: number, eventBytes: number }),
  /** The tenant's rows by name, such as `orders`; null if they were not asked for. */
  counts: z.record(z.string(), number).nullable(),
});

export type UsageReport = z.output<typeof usageReport>;

const usageQuery = z.strictObject({ counts: z.literal("true").optional() });

/** `bytes` must read few rows, because it is asked for every few seconds while a tenant is active; `counts` may read an index. */
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

export const AUDIT_TALLY_PATH = "/internal/audit-tally";

/** The entries that a service published before `until`. */
export const auditTally = z.object({
  until: z.iso.datetime({ offset: true }),
  entries: z.array(z.object({ tenantId: z.uuid(), entryId: z.uuid() })).readonly(),
  hasMore: z.boolean(),
});

const tallyQuery = z.strictObject({
  since: z.iso.datetime({ offset: true }),
  ageMs: z.coerce.number().int().nonnegative().max(3_600_000),
});

/** `read` returns what was published since `since`, and is at least `ageMs` old. It is asked for every 30 seconds. */
export function auditTallyRoute(
  read: (asked: z.output<typeof tallyQuery>) => Promise<z.output<typeof auditTally>>,
): Route {
  return route({
    method: "GET",
    path: AUDIT_TALLY_PATH,
    module: null,
    role: "owner",
    scope: null,
    query: tallyQuery,
    about: null,
    handle: async ({ query }) => ok(await read(query)),
  });
}
