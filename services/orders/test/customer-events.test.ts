// GET /v1/customers/events, and copies of orders and customers that follow their feeds (interface §10).
import { eventData } from "@tradepost/event-catalog";
import { readPages } from "@tradepost/testing";
import fc from "fast-check";
import { placeOrder } from "./support/lifecycle-steps.ts";
import { line, readFeed, sharedTestOrders } from "./support/test-orders.ts";

interface Resource {
  id: string;
  version: number;
  internalNote?: string;
}

const orders = await sharedTestOrders();

describe("the feed of customers", () => {
  test("has each creation and change as the API shows it, with its cause, and nothing that changes nothing", async () => {
    const shop = await orders.openShop();
    const exact = '{"name":"Ada","externalId":"crm/1","metadata":{"rate":1.10,"a":{"b":[]}}}';
    const headers = { "content-type": "application/json" };
    const created = await shop.client.send("POST", "/v1/customers", { headers, body: exact });
    const { id } = created.body.data;
    const path = `/v1/customers/${id}`;
    const responses = [
      created,
      await shop.client.patch(path, { phone: "1", metadata: null }),
      await shop.client.send("PUT", "/v1/customers/by-external-id/crm%2F1", {
        headers,
        body: '{"name":"Ada L.","metadata":{"rate":2.50}}',
      }),
      await shop.client.put("/v1/customers/by-external-id/crm-2", { name: "Grace" }),
    ];
    await shop.client.patch(path, { name: "Ada L." });
    await shop.client.patch(path, {});
    expect((await shop.client.patch(path, { externalId: "crm-2" })).status).toBe(409);
    // The shop's own customer was created by the fixture.
    const [, ...events] = await readFeed(shop, "customers", 5);
    const types = ["customer.created", "customer.updated", "customer.updated", "customer.created"];
    const expected = responses.map(({ headers, body }, index) => {
      return { type: types[index], occurredAt: body.data.updatedAt, requestId: headers.get("x-request-id") };
    });
    expect(events).toMatchObject(expected);
    expect(events.map(({ data }) => data.customer)).toEqual(responses.map(({ body }) => body.data));
    for (const { type, data } of events) expect(eventData[type]?.schema.parse(data)).toEqual(data);
    const { text } = await shop.client.get("/v1/customers/events");
    expect(text).toContain('"metadata":{"rate":1.10,"a":{"b":[]}}');
    expect(text).toContain('"metadata":{"rate":2.50}');
  });

  test("has no orders, the feed of orders no customers, and no exchange has either feed's own types", async () => {
    const shop = await orders.openShop();
    for (let count = 0; count < 30; count += 1)
      await shop.client.post("/v1/customers", { name: `C-${count}` });
    const id = await placeOrder(shop);
    expect((await shop.published(1)).map(({ type }) => type)).toEqual(["order.placed"]);
    const first = await shop.client.get("/v1/orders/events?limit=1&waitSeconds=10");
    expect(first.body.data).toMatchObject([{ data: { order: { id } } }]);
    expect(first.body.page.hasMore).toBe(false);
    const typesOf = async (feed: string, count: number) =>
      new Set((await readFeed(shop, feed, count)).map(({ type }) => type));
    expect(await typesOf("orders", 1)).toEqual(new Set(["order.placed"]));
    expect(await typesOf("customers", 31)).toEqual(new Set(["customer.created"]));
    expect((await shop.client.get("/v1/orders/events?types=customer.created")).status).toBe(422);
    expect((await shop.client.get("/v1/customers/events?types=order.placed")).status).toBe(422);
  });

  test("wakes its readers, and not with the events of the other feed", async () => {
    const shop = await orders.openShop();
    await readFeed(shop, "customers", 1);
    const { body: start } = await shop.client.get("/v1/customers/events?after=now");
    const waiting = (feed: string) =>
      shop.client.get(`/v1/${feed}/events?after=${start.page.nextCursor}&waitSeconds=25`);
    const both = Promise.all([waiting("customers"), waiting("orders")]);
    const orderId = await placeOrder(shop);
    const { body } = await shop.client.post("/v1/customers", { name: "Grace" });
    const [customers, placed] = await both;
    expect(customers.body.data).toMatchObject([{ data: { customer: { id: body.data.id } } }]);
    expect(placed.body.data).toMatchObject([{ data: { order: { id: orderId } } }]);
  });
});

test("a copy that follows the feeds equals the lists, field by field", async () => {
  const shop = await orders.openShop();
  const text = fc
    .string({ minLength: 1, maxLength: 20, unit: "grapheme" })
    .filter((value) => value.trim() !== "");
  const metadata = fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 });
  const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
  const anyStep = fc.record({
    kind: fc.constantFrom("customer", "put", "order", "note", "action"),
    which: fc.nat(4),
    name: text,
    metadata: nullable(metadata),
    customerNote: nullable(text),
    internalNote: nullable(text),
    action: fc.constantFrom("payments", "fulfill", "cancel"),
  });
  const steps = fc.sample(anyStep, 120);
  const ids: { orders: string[]; customers: string[] } = { orders: [], customers: [shop.customerId] };
  const pick = (list: string[], which: number) => list[which % list.length] ?? list[0] ?? "";
  const take = async (step: (typeof steps)[number]) => {
    const { kind, which, action, name, metadata, ...notes } = step;
    const order = `/v1/orders/${pick(ids.orders, which)}`;
    const customer = { name, metadata };
    if (kind === "customer") {
      if (which === 0) ids.customers.push((await shop.client.post("/v1/customers", customer)).body.data.id);
      await shop.client.patch(`/v1/customers/${pick(ids.customers, which)}`, customer);
    } else if (kind === "put") {
      await shop.client.put(`/v1/customers/by-external-id/E-${which}`, customer);
    } else if (kind === "order") {
      const items = [line({ unitPrice: 1.2345 })];
      const body = shop.order({ customerId: pick(ids.customers, which), items, metadata });
      ids.orders.push((await shop.client.post("/v1/orders", body)).body.data.id);
    } else if (kind === "note") await shop.client.patch(order, { ...notes, metadata });
    else await shop.client.post(`${order}/${action}`, action === "payments" ? { status: "succeeded" } : {});
  };
  await placeOrder(shop).then((id) => ids.orders.push(id));
  // Several at a time, so that changes of one resource meet.
  for (let from = 0; from < steps.length; from += 4)
    await Promise.all(steps.slice(from, from + 4).map((one) => take(one)));

  for (const [feed, name] of [
    ["orders", "order"],
    ["customers", "customer"],
  ] as const) {
    const listed: Resource[] = (await readPages(shop.client, `/v1/${feed}?limit=100`)).flat();
    const written = listed.reduce((sum, { version }) => sum + version, 0);
    const copy = new Map<string, Resource>();
    for (const { data } of await readFeed(shop, feed, written)) {
      const resource: Resource = data[name];
      expect(resource.version).toBe((copy.get(resource.id)?.version ?? 0) + 1);
      copy.set(resource.id, resource);
    }
    const shown = listed.map(({ internalNote: _, ...rest }) => rest);
    expect(shown.length).toBeGreaterThan(1);
    expect([...copy.values()].toSorted(byId)).toEqual(shown.toSorted(byId));
  }
});

function byId(a: Resource, b: Resource): number {
  return a.id < b.id ? -1 : 1;
}
