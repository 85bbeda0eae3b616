// What a tenant uses of this service (interface §19).
import { usageRoute } from "@tradepost/http";
import { keptEventBytes } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import type { Tables } from "./tables.ts";

/** The route for the gateway. */
export function contentUsage(tenants: TenantDatabases<Tables>) {
  const first = async <Row extends object>(tenantId: string, text: string) =>
    (await tenants.of(tenantId).query<Row>({ text, values: [tenantId] })).rows[0];
  return usageRoute({
    bytes: async (tenantId) => {
      const [media, eventBytes] = await Promise.all([
        first<{ mediaBytes: number }>(tenantId, READ_MEDIA_BYTES),
        keptEventBytes(tenants.of(tenantId)),
      ]);
      return { mediaBytes: media?.mediaBytes ?? 0, eventBytes };
    },
    counts: async (tenantId) => ({
      entries: 0,
      redirects: 0,
      ...(await first<{ entries: number; redirects: number }>(tenantId, COUNT)),
    }),
  });
}

const READ_MEDIA_BYTES = `select bytes::float8 as "mediaBytes" from media_bytes where tenant_id = $1`;

const COUNT = `
  select (select count(*) from entries where tenant_id = $1)::float8 as entries,
         (select count(*) from redirects where tenant_id = $1)::float8 as redirects`;
