// What a tenant uses of a service, as the gateway asks for it (interface §19). The path does not begin with /v1, so no client reaches
// it through the gateway.
import { ok, type Route, route } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { z } from "zod";
import type { Quota } from "./quota.ts";

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

/**
 * Returns the bytes of the data of a tenant's events that are in the outbox, or published and kept (interface §19). The relay
 * counts what it publishes, so few rows are read.
 */
export async function keptEventBytes(tenant: Pick<Tenant<unknown>, "tenantId" | "query">): Promise<number> {
  const { rows } = await tenant.query<{ bytes: number }>({ text: KEPT, values: [tenant.tenantId] });
  return rows[0]?.bytes ?? 0;
}

// One statement, so that an event that is moved meanwhile counts once.
const KEPT = `
  select (greatest((select coalesce(sum(bytes), 0) from event_bytes where tenant_id = $1), 0)
          + (select coalesce(sum(size_bytes), 0) from outbox where tenant_id = $1))::float8 as bytes`;
