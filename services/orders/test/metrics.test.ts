// The metrics of the orders service: orders, repeated requests, and waiting events (interface §14).
import { newTraceparent } from "@tradepost/runtime";
import { readMetrics, startFaultProxy, until } from "@tradepost/testing";
import { ownTestOrders } from "./support/test-orders.ts";

const orders = await ownTestOrders();
const shop = await orders.openShop();

const read = () => readMetrics(orders.url);

test("placed orders are counted by channel, and repeated requests once each", async () => {
  const key = { "idempotency-key": "a" };
  await shop.client.post("/v1/orders", shop.order({ channel: "storefront" }), key);
  await shop.client.post("/v1/orders", shop.order({ channel: "storefront" }), key);
  await shop.client.post("/v1/orders", shop.order({ channel: "nowhere" }));
  const lines = [
    shop.order({ channel: "import" }),
    shop.order({ channel: "import" }),
    { customerId: "nobody" },
  ];
  expect((await shop.client.post("/v1/orders/bulk", { orders: lines })).status).toBe(200);
  const metric = await read();
  expect(metric('orders_placed_total{channel="storefront"}')).toBe(1);
  expect(metric('orders_placed_total{channel="import"}')).toBe(2);
  expect(metric('orders_placed_total{channel="admin"}')).toBe(0);
  expect(metric('orders_placed_total{channel="nowhere"}')).toBeUndefined();
  expect(metric("idempotency_replays_total")).toBe(1);
});

test("without the broker the age of the oldest event grows, and the connection shows as down", async () => {
  const proxy = await startFaultProxy(orders.amqpUrl);
  const replica = await orders.startReplica({ AMQP_URL: proxy.url });
  await proxy.refuse();
  await until("the loss of the broker", async () => {
    const metric = await readMetrics(replica.url);
    return metric('broker_connected{role="relay"}') === 0 && metric('broker_connected{role="replay"}') === 0;
  });
  // Another replica uses the same table. No replica publishes an event that waits for its third try.
  await orders.db
    .insertInto("outbox")
    .values({
      ...{ event_id: crypto.randomUUID(), aggregate_id: crypto.randomUUID(), tenant_id: shop.tenantId },
      ...{ type: "order.placed", request_id: "r", traceparent: newTraceparent(), actor: "{}", data: "{}" },
      ...({ attempts: 2, next_try_at: "infinity", occurred_at: new Date(Date.now() - 600_000) } as object),
    })
    .execute();
  await until("the age of the oldest event", async () => {
    const metric = await readMetrics(replica.url);
    return (metric("outbox_oldest_seconds") ?? 0) >= 600 && metric("outbox_pending") === 1;
  });
  await replica.stop();
  await proxy.stop();
});
