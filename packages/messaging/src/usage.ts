// The routes by which the gateway asks for the usage of a service's tenants (interface §19). The path does not begin with /v1, so no client
// reaches it through the gateway.
import { ok, type Route, route } from "@tradepost/http";
import type { Pool } from "pg";
import { z } from "zod";
import type { Quota } from "./quota.ts";

/** GET asks about the tenant of the request, with `?counts=true` for the counts too; POST asks about many tenants. */
export const USAGE_PATH = "/internal/usage";

export const USAGE_TENANTS_MAX = 500;

const number = z.number().nonnegative();
const bytes = z.strictObject({ mediaBytes: number, eventBytes: number });

export const usageReport = z.strictObject({
  bytes,
  /** The tenant's rows by name, such as `orders`; null without `?counts=true`. */
  counts: z.record(z.string(), number).nullable(),
});

export type UsageReport = z.output<typeof usageReport>;

export const usageReports = z.array(z.strictObject({ tenantId: z.uuid(), bytes }));

const usageQuery = z.strictObject({ counts: z.literal("true").optional() });
const usageInput = z.strictObject({ tenantIds: z.array(z.uuid()).max(USAGE_TENANTS_MAX) });

/**
 * `bytes` must read few rows of each tenant in one statement: the gateway asks every few seconds while tenants are active. `counts` may
 * read an index. Release 1.0.0 has no POST.
 */
export function usageRoutes(usage: {
  readonly bytes: (tenantIds: readonly string[]) => Promise<ReadonlyMap<string, Record<Quota, number>>>;
  readonly counts: (tenantId: string) => Promise<Record<string, number>>;
}): Route[] {
  const shared = { module: null, role: "owner", scope: null, about: null } as const;
  return [
    route(`GET ${USAGE_PATH}`, {
      ...shared,
      query: usageQuery,
      handle: async ({ principal: { tenantId }, query }) => {
        const [used, counts] = await Promise.all([
          usage.bytes([tenantId]),
          query.counts === undefined ? null : usage.counts(tenantId),
        ]);
        return ok({ bytes: used.get(tenantId) ?? NO_BYTES, counts } satisfies UsageReport);
      },
    }),
    route(`POST ${USAGE_PATH}`, {
      ...shared,
      body: usageInput,
      handle: async ({ body }) =>
        ok(Array.from(await usage.bytes(body.tenantIds), ([tenantId, used]) => ({ tenantId, bytes: used }))),
    }),
  ];
}

export const NO_BYTES: Record<Quota, number> = { mediaBytes: 0, eventBytes: 0 };

/**
 * Returns the bytes of events in the outbox, or published and kept (interface §19). The relay counts what it publishes, so few
 * rows are read. `pool` must act as a role that sees the events of all tenants.
 */
export async function keptEventBytes(
  pool: Pool,
  tenantIds: readonly string[],
): Promise<Map<string, Record<Quota, number>>> {
  const { rows } = await pool.query<{ tenantId: string; eventBytes: number }>(KEPT, [tenantIds]);
  return new Map(rows.map(({ tenantId, eventBytes }) => [tenantId, { mediaBytes: 0, eventBytes }]));
}

// One statement, so that an event that is moved meanwhile counts once.
const KEPT = `
  select asked.tenant_id as "tenantId", (greatest(kept.bytes, 0) + waiting.bytes)::float8 as "eventBytes"
    from unnest($1::uuid[]) as asked (tenant_id)
   cross join lateral (select coalesce(sum(bytes), 0) as bytes from event_bytes
                        where event_bytes.tenant_id = asked.tenant_id) as kept
   cross join lateral (select coalesce(sum(size_bytes), 0) as bytes from outbox
                        where outbox.tenant_id = asked.tenant_id) as waiting`;
