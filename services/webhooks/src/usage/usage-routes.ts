// The routes by which the gateway asks what a tenant uses, and reports the quotas that it has nearly used up (interface §19).
import { type ApiRequest, ok, quotas, route, usageRoute } from "@tradepost/http";
import type { TenantDatabases } from "@tradepost/postgres";
import { z } from "zod";
import { WAITS } from "../delivery/delivery.ts";
import { setNearQuotas } from "../notices/notices.ts";
import type { RouteContext } from "../route-context.ts";
import type { Tables } from "../tables.ts";

/** The parts of the service that the routes use. */
interface UsageContext extends Pick<RouteContext, "writers"> {
  readonly tenants: TenantDatabases<Tables>;
  /** Runs after a notice was opened or closed. */
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
      const { rows } = await tenants.of(tenantId).query<{ bytes: number }>({
        text: READ_RECEIVED_BYTES,
        values: [tenantId],
      });
      return { mediaBytes: 0, eventBytes: rows[0]?.bytes ?? 0 };
    },
    counts: async (tenantId) => {
      const { rows } = await tenants.of(tenantId).query<{ deliveriesWaiting: number }>({
        text: COUNT_WAITING,
        values: [tenantId],
      });
      return { deliveriesWaiting: rows[0]?.deliveriesWaiting ?? 0 };
    },
  });

const READ_RECEIVED_BYTES =
  "select coalesce(sum(bytes), 0)::float8 as bytes from received_bytes where tenant_id = $1";

// A tenant has at most WEBHOOKS_WAITING_MAX of them, a million by default.
const COUNT_WAITING = `
  select count(*)::float8 as "deliveriesWaiting"
    from deliveries
    join subscriptions on subscriptions.tenant_id = deliveries.tenant_id and subscriptions.id = subscription_id and active
   where deliveries.tenant_id = $1 and ${WAITS}`;

/** Not part of the API: the gateway forwards no request to these paths. */
export const usageRoutes = [count, putNear];
