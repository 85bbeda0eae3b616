// The routes of figures of orders: for clients, and of usage for the gateway (interface §19).
import { data, ok, route } from "@tradepost/http";
import { keptEventBytes, usageRoutes } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Pool } from "pg";
import { z } from "zod";
import { READ } from "../route-parts.ts";
import type { Tables } from "../tables.ts";
import { readStatistics } from "./read-statistics.ts";
import { rangeOf, statisticsQuery } from "./statistics-input.ts";
import { units } from "./time-buckets.ts";

const bucket = z
  .strictObject({
    at: z.iso
      .datetime()
      .describe("When the day, week or month begins; the first one may begin before `from`"),
    orders: z.int(),
    total: z.number().describe("The sum of the orders' `payableTotal`"),
    paid: z.number().describe("The sum of their `paidTotal`"),
    refunded: z.number().describe("The sum of their `refundedTotal`"),
  })
  .meta({ id: "StatisticsBucket", description: "The orders that were placed in a day, week or month." });

const count = z.int().min(0);

const statistics = z
  .strictObject({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    by: z.enum(units),
    timeZone: z.string(),
    currencies: z.array(z.strictObject({ currency: z.string().length(3), buckets: z.array(bucket) })),
    open: z
      .strictObject({
        toFulfill: count.describe("Placed and not refunded: `fulfill` is allowed"),
        readyToShip: count.describe("Placed, and paid or partly refunded"),
        unpaid: count.describe("Not cancelled, and nothing or only a part is paid; without failed payments"),
        paymentFailed: count.describe("Not cancelled, and the latest payment failed"),
        toDeliver: count.describe("Fulfilled and not delivered"),
      })
      .describe("The tenant's open orders, whenever they were placed"),
  })
  .meta({ id: "OrderStatistics", description: "The figures of a tenant's orders." });

const read = ({ tenants }: { readonly tenants: TenantDatabases<Tables> }) =>
  route("GET /v1/orders/statistics", {
    ...READ,
    query: statisticsQuery,
    isHeavy: true,
    about: {
      id: "getOrderStatistics",
      tag: "Orders",
      summary: "Get the figures of orders",
      description: `How many orders were placed in each day, week or month, by their \`placedAt\`, and their amounts as they are now, for each currency. The figures are exact: they
change in the transaction that changes an order. Cancelled orders count nowhere. A bucket without orders is there too; a currency
without orders between \`from\` and \`to\` is not. More than 400 buckets are 422.`,
      responses: { 200: data(statistics) },
    },
    handle: async ({ principal, query }) =>
      ok(await readStatistics(tenants.of(principal.tenantId), rangeOf(query))),
  });

export const statisticsRoutes = [read];

export function ordersUsage({ of }: TenantDatabases<Tables>, workers: Pool) {
  return usageRoutes({
    bytes: (tenantIds) => keptEventBytes(workers, tenantIds),
    counts: async (tenantId) => {
      // The totals lack cancelled orders, so only these are counted one by one.
      const { rows } = await sql<{ orders: number; customers: number }>`
        select ((select coalesce(sum(orders), 0) from order_totals where tenant_id = ${tenantId})
                + (select coalesce(sum(orders), 0) from order_deltas where tenant_id = ${tenantId})
                + (select count(*) from orders where tenant_id = ${tenantId} and status = 'cancelled'))::float8 as orders,
               (select count(*) from customers where tenant_id = ${tenantId})::float8 as customers`.execute(
        of(tenantId).db,
      );
      return { orders: 0, customers: 0, ...rows[0] };
    },
  });
}
