// GET /v1/orders/events lists every change of an order once (interface §10). The feed itself is tested in packages/change-feed.
import { afterAll, expect, test } from "@jest/globals";
import { eventData } from "@tradepost/event-catalog";
import { type ApiClient, until } from "@tradepost/testing";
import { sql } from "kysely";
import { placeOrder, takeSteps } from "./support/lifecycle-steps.ts";
import { startTestOrders } from "./support/test-orders.ts";

const orders = await startTestOrders({ replicas: 2 });
afterAll(() => orders.stop());

interface FeedEvent {
  id: string;
  type: string;
  data: { order: { id: string } };
}

interface Page {
  events: FeedEvent[];
  cursor: string;
}

/** Reads the feed from a cursor until a page is empty. */
async function follow(client: ApiClient, after: string | null, query = ""): Promise<Page> {
  const events: FeedEvent[] = [];
  for (let cursor = after; ; ) {
    const from = cursor === null ? "" : `&after=${cursor}`;
    const { status, text, body } = await client.get(`/v1/orders/events?limit=100${query}${from}`);
    if (status !== 200) throw new Error(`the feed was refused: ${status} ${text}`);
    events.push(...body.data);
    cursor = String(body.page.nextCursor);
    if (!body.page.hasMore) return { events, cursor };
  }
}

/** Reads from a cursor until there are `count` events. A transaction of another test file may hide them for a while. */
async function readEvents(client: ApiClient, after: string | null, count: number): Promise<Page> {
  let { events, cursor } = await follow(client, after);
  while (events.length < count) {
    const page = await follow(client, cursor, "&waitSeconds=10");
    ({ cursor } = page);
    events = [...events, ...page.events];
  }
  return { events, cursor };
}

test("the feed has the events of an order as they were committed, and goes on after the relay has moved them", async () => {
  const shop = await orders.openShop();
  const id = await placeOrder(shop);
  await takeSteps(shop.client, id, ["succeeded"]);
  const first = await readEvents(shop.client, null, 2);
  await takeSteps(shop.client, id, ["fulfill", "deliver"]);
  await until("the relay to publish", async () => {
    const { rows } = await sql`select from outbox where tenant_id = ${shop.tenantId}`.execute(orders.db);
    return rows.length === 0;
  });
  const second = await readEvents(shop.clientAt(orders.urls[1] ?? ""), first.cursor, 2);
  const events = [...first.events, ...second.events];
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

test("a reader sees each order once while orders and imports commit out of order", async () => {
  const shop = await orders.openShop();
  let isPlacing = true;
  const seen: FeedEvent[] = [];
  const reading = (async () => {
    const client = shop.clientAt(orders.urls[1] ?? "");
    let cursor: string | null = null;
    for (let isLast = false; !isLast; ) {
      isLast = !isPlacing;
      const page: Page = isLast
        ? await readEvents(client, cursor, 100 - seen.length)
        : await follow(client, cursor);
      seen.push(...page.events);
      cursor = page.cursor;
    }
  })();
  const item = { sku: "A-1", name: "Mug", unitPrice: 10 };
  const bulk = { orders: Array.from({ length: 20 }, () => ({ customerId: shop.customerId, items: [item] })) };
  const writers = Array.from({ length: 4 }, async () => {
    for (let count = 0; count < 10; count += 1) await placeOrder(shop);
  });
  const importer = (async () => {
    for (let count = 0; count < 3; count += 1) await shop.client.post("/v1/orders/bulk", bulk);
  })();
  await Promise.all([...writers, importer]);
  isPlacing = false;
  await reading;
  const placed = await orders.db
    .selectFrom("orders")
    .select("id")
    .where("tenant_id", "=", shop.tenantId)
    .execute();
  expect(placed).toHaveLength(100);
  expect(seen.map(({ data }) => data.order.id).toSorted()).toEqual(placed.map(({ id }) => id).toSorted());
});
