// Orders and deliveries with millions of stored rows, compared with few.
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { drainDeliveries } from "../drain-deliveries.ts";
import { closedLoop } from "../load/closed-loop.ts";
import { gatewayOrderRequests } from "../load/order-requests.ts";
import { median, spread } from "../statistics.ts";
import { benchTenants } from "../tenants.ts";
import type { Bench, BenchContext } from "./bench.ts";

const [CONNECTIONS, LINES, TENANTS] = [16, 3, 8];
const ROWS_PER_STATEMENT = 250_000;

// The orders are spread over a year and over the tenants whose orders are measured. Their order numbers cannot collide.
const FILL_ORDERS = `
  with filled as (
    insert into orders (tenant_id, id, customer_id, order_number, channel, currency, subtotal, shipping_total,
                        discount_total, tax_total, total, created_at)
    select ($1::uuid[])[1 + n % array_length($1::uuid[], 1)], gen_random_uuid(),
           ($2::uuid[])[1 + n % array_length($1::uuid[], 1)], 'old-' || n, 'storefront', 'EUR', 39.98, 4.9, 0, 1.6, 46.48,
           now() - n * interval '6 seconds'
      from generate_series($3::int, $4::int) n
    returning tenant_id, id
  )
  insert into order_lines (tenant_id, order_id, sku, name, quantity, unit_price, subtotal, tax_amount, position)
  select tenant_id, id, 'TSHIRT-1', 'T-shirt, size 1', 2, 19.99, 39.98, 1.6, 1 from filled`;

const FILL_DELIVERIES = `
  with filled as (
    insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                              created_at, completed_at)
    select ($1::uuid[])[1 + n % array_length($1::uuid[], 1)], gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
           'redirect.added', 'delivered', 1, 1, now() - n * interval '1 second', now() - n * interval '1 second'
      from generate_series($2::int, $3::int) n
    returning tenant_id, id, event_id, completed_at
  ), inserted_events as (
    insert into events (tenant_id, id, type, occurred_at, request_id, data, matched)
    select tenant_id, event_id, 'redirect.added', completed_at, 'bench',
           '{"redirect":{"id":"x","from":"/old","to":"/shop","type":301,"createdAt":"2026-01-01T00:00:00.000Z"}}', 1
      from filled
  )
  insert into attempts (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code)
  select tenant_id, id, 1, 1, completed_at, 12, 'delivered', 200 from filled`;

export const size: Bench = {
  name: "size",
  description:
    "orders and deliveries with 5 million orders and 2 million deliveries stored; baseline: with few",
  target: "≥ 0.90",
  run: async (context) => {
    const { platform, receivers, scale } = context;
    const tenants = await benchTenants(platform, TENANTS);
    const subscribed = await benchTenants(
      platform,
      receivers.urls.map((url) => `${url}/`),
    );
    const ids = subscribed.map(({ tenantId }) => tenantId);
    const request = gatewayOrderRequests(tenants, LINES);
    const orders = medianRate(
      scale.turns,
      async () =>
        (
          await closedLoop({
            url: platform.url,
            connections: CONNECTIONS,
            seconds: scale.seconds,
            request,
            expect: 201,
          })
        ).perSecond,
    );
    const deliveries = medianRate(scale.turns, async () => (await drainDeliveries(context, ids)).perSecond);
    const [fewOrders, fewDeliveries] = [await orders(), await deliveries()];
    await fill(context, tenants, ids);
    const [manyOrders, manyDeliveries] = [await orders(), await deliveries()];
    return {
      unit: "orders/s",
      measured: manyOrders,
      baseline: fewOrders,
      ratio: spread([manyOrders / fewOrders, manyDeliveries / fewDeliveries]),
      notes: [
        `orders ${(manyOrders / fewOrders).toFixed(2)}, deliveries ${(manyDeliveries / fewDeliveries).toFixed(2)} ` +
          `(${Math.round(manyDeliveries)}/s with many, ${Math.round(fewDeliveries)}/s with few)`,
      ],
    };
  },
};

function medianRate(turns: number, run: () => Promise<number>) {
  return async () => {
    const rates: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) rates.push(await run());
    return median(rates);
  };
}

async function fill(
  { platform, scale }: BenchContext,
  tenants: readonly { tenantId: string; customerId: string }[],
  subscribed: readonly string[],
): Promise<void> {
  const orders = connect(platform.databases.orders);
  for (const [first, last] of ranges(scale.storedOrders)) {
    await orders.pool.query(FILL_ORDERS, [
      tenants.map(({ tenantId }) => tenantId),
      tenants.map(({ customerId }) => customerId),
      first,
      last,
    ]);
  }
  await orders.pool.query("vacuum analyze orders, order_lines");
  await orders.stop();
  const webhooks = connect(platform.databases.webhooks);
  for (const [first, last] of ranges(scale.storedDeliveries)) {
    await webhooks.pool.query(FILL_DELIVERIES, [subscribed, first, last]);
  }
  await webhooks.pool.query("vacuum analyze delivery_log, events, attempts");
  await webhooks.stop();
}

function connect(url: string) {
  const logger = createLogger("bench", "silent");
  return connectPostgres({ url, name: "bench", connectionsMax: 1, statementTimeoutMs: 0, logger });
}

function ranges(count: number): [number, number][] {
  return Array.from({ length: Math.ceil(count / ROWS_PER_STATEMENT) }, (_, index) => [
    index * ROWS_PER_STATEMENT + 1,
    Math.min(count, (index + 1) * ROWS_PER_STATEMENT),
  ]);
}
