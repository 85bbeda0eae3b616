// The metrics of the orders service: orders and repeated requests (interface §14).
import { readMetrics } from "@tradepost/testing";
import { ownTestOrders } from "./support/test-orders.ts";

const orders = await ownTestOrders();
const shop = await orders.openShop();

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
  const metric = await readMetrics(orders.url);
  expect(metric('orders_placed_total{channel="storefront"}')).toBe(1);
  expect(metric('orders_placed_total{channel="import"}')).toBe(2);
  expect(metric('orders_placed_total{channel="admin"}')).toBe(0);
  expect(metric('orders_placed_total{channel="nowhere"}')).toBeUndefined();
  expect(metric("idempotency_replays_total")).toBe(1);
});
