// What a tenant uses of this service (interface §19).
import { usageRoute } from "@tradepost/http";
import { keptEventBytes } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import type { Tables } from "./tables.ts";

/** The route for the gateway. */
export function ordersUsage(tenants: TenantDatabases<Tables>) {
  return usageRoute({
    bytes: async (tenantId) => ({ mediaBytes: 0, eventBytes: await keptEventBytes(tenants.of(tenantId)) }),
    counts: async (tenantId) => {
      const { rows } = await tenants
        .of(tenantId)
        .query<{ orders: number; customers: number }>({ text: COUNT, values: [tenantId] });
      return { orders: 0, customers: 0, ...rows[0] };
    },
  });
}

// The totals have all orders but the cancelled ones, so only these are counted one by one.
const COUNT = `
  select ((select coalesce(sum(orders), 0) from order_totals where tenant_id = $1)
          + (select coalesce(sum(orders), 0) from order_deltas where tenant_id = $1)
          + (select count(*) from orders where tenant_id = $1 and status = 'cancelled'))::float8 as orders,
         (select count(*) from customers where tenant_id = $1)::float8 as customers`;
