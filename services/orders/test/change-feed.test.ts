// GET /v1/orders/events lists every change of an order once (interface §10). The feed itself is tested in packages/change-feed.
import { expect, test } from "@jest/globals";
import { eventData } from "@tradepost/event-catalog";
import { until } from "@tradepost/testing";
import { placeOrder, takeSteps } from "./support/lifecycle-steps.ts";
import { sharedTestOrders } from "./support/test-orders.ts";

interface FeedEvent {
  type: string;
  data: object;
}

const orders = await sharedTestOrders();

test("the feed has the events of an order as they were committed", async () => {
  const shop = await orders.openShop();
  const id = await placeOrder(shop);
  await takeSteps(shop.client, id, ["succeeded", "fulfill", "deliver"]);
  // A transaction of another test file may hide them for a while.
  const events = await until("the events", async () => {
    const { body } = await shop.client.get("/v1/orders/events?limit=100");
    return body.data.length === 4 && (body.data as FeedEvent[]);
  });
  expect(events.map(({ type }) => type)).toEqual([
    "order.placed",
    "order.paid",
    "order.fulfilled",
    "order.delivered",
  ]);
  expect(events[1]).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    type: "order.paid",
    occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    requestId: expect.any(String),
    actor: { type: expect.any(String), id: expect.any(String), name: expect.any(String) },
    data: { order: expect.objectContaining({ id }), payment: expect.any(Object) },
  });
  for (const { type, data } of events) expect(eventData[type]?.schema.parse(data)).toEqual(data);
});
