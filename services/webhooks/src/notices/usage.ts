// What a tenant uses of this service, and the notices about its quotas (interface §19). The gateway asks for both.
import { type ApiRequest, ok, route } from "@tradepost/http";
import { quotas, usageRoute } from "@tradepost/messaging";
import type { Tenant, TenantDatabases } from "@tradepost/postgres";
import { sql } from "kysely";
import { z } from "zod";
import type { RouteContext } from "../route-context.ts";
import { WAITS } from "../statement-parts.ts";
import type { Tables } from "../tables.ts";
import { setNearQuotas } from "./notice-store.ts";

interface UsageContext extends Pick<RouteContext, "writers"> {
  readonly tenants: TenantDatabases<Tables>;
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
  route({
    method: "PUT",
    path: "/internal/near-quotas",
    module: null,
    role: "owner",
    scope: null,
    body: nearInput,
    about: null,
    handle: async ({ principal, body }: ApiRequest<z.output<typeof nearInput>, undefined>) => {
      await writers.of(principal.tenantId).transaction(async (tx) => setNearQuotas(tx, body.near));
      onNotice();
      return ok({});
    },
  });

const count = ({ tenants }: UsageContext) =>
  usageRoute({
    bytes: async (tenantId) => {
      const { rows } = await sql<{ bytes: number }>`
        select coalesce(sum(bytes), 0)::float8 as bytes from received_bytes where tenant_id = ${tenantId}`.execute(
        tenants.of(tenantId).db,
      );
      return { mediaBytes: 0, eventBytes: rows[0]?.bytes ?? 0 };
    },
    // A tenant has at most WEBHOOKS_WAITING_MAX of them, a million by default.
    counts: async (tenantId) => {
      const { rows } = await sql<{ deliveriesWaiting: number }>`
        select count(*)::float8 as "deliveriesWaiting"
          from deliveries
          join subscriptions on subscriptions.tenant_id = deliveries.tenant_id and subscriptions.id = subscription_id and active
         where deliveries.tenant_id = ${tenantId} and ${sql.raw(WAITS)}`.execute(tenants.of(tenantId).db);
      return { deliveriesWaiting: rows[0]?.deliveriesWaiting ?? 0 };
    },
  });

/** Not part of the API: the gateway forwards no request to these paths. */
export const usageRoutes = [count, putNear];

// No process of fan-out has it, so an example never waits for a batch.
const PART = -1;

/** Counts an event that this service itself makes, in the transaction that inserts it. */
export async function countReceived(
  { db, tenantId }: Tenant<Tables>,
  occurredAt: Date,
  data: string,
): Promise<void> {
  await sql`
    insert into received_bytes as counted (tenant_id, day, part, bytes)
    values (${tenantId}, (${occurredAt}::timestamptz at time zone 'utc')::date, ${PART}, ${Buffer.byteLength(data)})
    on conflict (tenant_id, day, part) do update set bytes = counted.bytes + excluded.bytes`.execute(db);
}
