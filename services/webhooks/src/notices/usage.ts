// What tenants use of this service, and its quotas (interface §19). The gateway asks for both.
import { ok, type Route, route } from "@tradepost/http";
import { quotas, usageRoutes } from "@tradepost/messaging";
import { type TenantDatabases, toStatement } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Pool } from "pg";
import { z } from "zod";
import type { RouteContext } from "../route-context.ts";
import { WAITS } from "../statement-parts.ts";
import type { Tables, Tenant } from "../tables.ts";
import { setNearQuotas } from "./notice-store.ts";

interface UsageContext extends Pick<RouteContext, "writers"> {
  readonly tenants: TenantDatabases<Tables>;
  readonly pool: Pool;
  readonly onNotice: () => void;
}

const nearInput = z.strictObject({
  near: z.array(
    z.strictObject({
      quota: z.enum(quotas),
      used: z.number().nonnegative(),
      max: z.number().positive(),
    }),
  ),
});

const putNear = ({ writers, onNotice }: UsageContext) =>
  route("PUT /internal/near-quotas", {
    module: null,
    role: "owner",
    scope: null,
    body: nearInput,
    about: null,
    handle: async ({ principal, body }) => {
      await writers.of(principal.tenantId).transaction(async (tx) => setNearQuotas(tx, body.near));
      onNotice();
      return ok({});
    },
  });

const counts = ({ tenants, pool }: UsageContext) =>
  usageRoutes({
    bytes: async (tenantIds) => {
      const { rows } = await pool.query<{ tenantId: string; eventBytes: number }>(
        toStatement(sql`
          select tenant_id as "tenantId", sum(bytes)::float8 as "eventBytes"
            from received_bytes
           where tenant_id = any(${tenantIds}::uuid[])
           group by tenant_id`),
      );
      return new Map(rows.map(({ tenantId, eventBytes }) => [tenantId, { mediaBytes: 0, eventBytes }]));
    },
    // At most WEBHOOKS_WAITING_MAX.
    counts: async (tenantId) => {
      const { rows } = await sql<{ deliveriesWaiting: number }>`
        select count(*)::float8 as "deliveriesWaiting"
          from deliveries
          join subscriptions on subscriptions.tenant_id = deliveries.tenant_id and subscriptions.id = subscription_id and active
         where deliveries.tenant_id = ${tenantId} and ${sql.raw(WAITS)}`.execute(tenants.of(tenantId).db);
      return { deliveriesWaiting: rows[0]?.deliveriesWaiting ?? 0 };
    },
  });

/** The gateway forwards no request to these paths. */
export const quotaRoutes = (context: UsageContext): Route[] => [...counts(context), putNear(context)];

// Fan-out never uses this part, so an example does not wait for a batch.
const PART = -1;

/** Call it in the transaction that inserts the event. */
export async function countReceived({ db, tenantId }: Tenant, occurredAt: Date, data: string): Promise<void> {
  await sql`
    insert into received_bytes as counted (tenant_id, day, part, bytes)
    values (${tenantId}, (${occurredAt}::timestamptz at time zone 'utc')::date, ${PART}, ${Buffer.byteLength(data)})
    on conflict (tenant_id, day, part) do update set bytes = counted.bytes + excluded.bytes`.execute(db);
}
