// A request with an Idempotency-Key takes effect once, and repeats get the first response; another request is refused.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ClientResponse, signedClient } from "@tradepost/testing";
import { startTestOrders, type TestOrders, type TestShop } from "./support/test-orders.ts";

const ONE_LINE = [{ sku: "A-1", name: "Mug", unitPrice: 10 }];
const JSON_TYPE = { "content-type": "application/json" };

interface Case {
  readonly path: string;
  readonly body: object;
  /** Another request on the same path; null where the path accepts only one body. */
  readonly other: object | null;
}

const newOrder = async ({ client, customerId }: TestShop, ...steps: [string, object?][]) => {
  const { body } = await client.post("/v1/orders", { customerId, items: ONE_LINE });
  for (const [step, input] of steps) await client.post(`/v1/orders/${body.data.id}/${step}`, input);
  return `/v1/orders/${body.data.id}`;
};
const paid: [string, object] = ["payments", { status: "succeeded" }];

const EVERY_POST: [string, (shop: TestShop) => Promise<Case>][] = [
  [
    "orders",
    async ({ customerId }) => ({
      path: "/v1/orders",
      body: { customerId, items: ONE_LINE },
      other: { customerId, items: ONE_LINE, customerNote: "another" },
    }),
  ],
  [
    "orders/bulk",
    async ({ customerId }) => ({
      path: "/v1/orders/bulk",
      body: {
        orders: [
          { customerId, items: ONE_LINE },
          { customerId, items: [] },
        ],
      },
      other: { orders: [{ customerId, items: ONE_LINE }] },
    }),
  ],
  ["customers", async () => ({ path: "/v1/customers", body: { name: "Grace" }, other: { name: "Ada" } })],
  [
    "orders/:id/payments",
    async (shop) => ({
      path: `${await newOrder(shop)}/payments`,
      body: { status: "succeeded", reference: "p-1" },
      other: { status: "succeeded" },
    }),
  ],
  [
    "orders/:id/fulfill",
    async (shop) => ({ path: `${await newOrder(shop)}/fulfill`, body: {}, other: { carrier: "DHL" } }),
  ],
  [
    "orders/:id/deliver",
    async (shop) => ({ path: `${await newOrder(shop, ["fulfill"])}/deliver`, body: {}, other: null }),
  ],
  [
    "orders/:id/cancel",
    async (shop) => ({ path: `${await newOrder(shop)}/cancel`, body: { reason: "sold out" }, other: {} }),
  ],
  [
    "orders/:id/refund",
    async (shop) => ({
      path: `${await newOrder(shop, paid)}/refund`,
      body: { amount: 4 },
      other: { amount: 3 },
    }),
  ],
];

describe("an Idempotency-Key", () => {
  let orders: TestOrders;
  let shop: TestShop;
  beforeAll(async () => {
    orders = await startTestOrders();
    shop = await orders.openShop();
  });
  afterAll(() => orders.stop());

  const post = (path: string, body: object | undefined, key: string, client = shop.client) =>
    client.post(path, body, { "idempotency-key": key });
  const isReplay = ({ headers }: ClientResponse) => headers.get("idempotent-replayed");
  const expectReplay = (again: ClientResponse, first: ClientResponse) => {
    expect([isReplay(first), isReplay(again)]).toEqual([null, "true"]);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    for (const name of ["etag", "location", "content-type"]) {
      expect([name, again.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    }
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  };
  const expectReused = ({ status, body }: ClientResponse) =>
    expect([status, body.error?.code]).toEqual([422, "idempotency_key_reused"]);

  describe.each(EVERY_POST)("on POST /v1/%s", (_route, prepare) => {
    test("replays the first response, and refuses another body", async () => {
      const { path, body, other } = await prepare(shop);
      const key = randomUUID();
      const first = await post(path, body, key);
      expect([200, 201]).toContain(first.status);
      expectReplay(await post(path, body, key), first);
      if (other !== null) expectReused(await post(path, other, key));
      expectReplay(await post(path, body, key), first);
    });

    test("does not collide with the same key of another tenant", async () => {
      const stranger = await orders.openShop();
      const key = randomUUID();
      const [ours, theirs] = [await prepare(shop), await prepare(stranger)];
      const first = await post(ours.path, ours.body, key);
      const strangers = await post(theirs.path, theirs.body, key, stranger.client);
      expect([strangers.status, isReplay(strangers)]).toEqual([first.status, null]);
    });
  });

  test.each(["payments", "fulfill", "cancel", "refund"])(
    "used for %s of one order is refused for another order",
    async (step) => {
      const prepare = async () => `${await newOrder(shop, ...(step === "refund" ? [paid] : []))}/${step}`;
      const body = step === "payments" ? { status: "succeeded" } : {};
      const key = randomUUID();
      const [one, another] = [await prepare(), await prepare()];
      expect((await post(one, body, key)).status).toBe(200);
      expectReused(await post(another, body, key));
      // The same for an order that does not allow the action, and for one that does not exist.
      expectReused(await post(one.replace(/[^/]+(?=\/\w+$)/, randomUUID()), body, key));
      expect((await post(another, body, randomUUID())).status).toBe(200);
    },
  );

  test("may be used again on another route", async () => {
    const path = await newOrder(shop);
    const key = randomUUID();
    const routes: [string, object][] = [
      [`${path}/payments`, { status: "succeeded" }],
      [`${path}/refund`, {}],
      [`${path}/cancel`, {}],
      ["/v1/customers", { name: "Ada" }],
      ["/v1/orders", { customerId: shop.customerId, items: ONE_LINE }],
      ["/v1/orders/bulk", { orders: [{ customerId: shop.customerId, items: ONE_LINE }] }],
    ];
    for (const [path, body] of routes) {
      const response = await post(path, body, key);
      expect([path, response.status < 300, isReplay(response)]).toEqual([path, true, null]);
    }
  });

  test("belongs to the tenant, so that a rotated API key does not place an order twice", async () => {
    const { tenantId, customerId } = shop;
    const actor = { type: "api_key", id: randomUUID(), name: "rotated" } as const;
    const rotated = signedClient(orders.url, orders.secret, { tenantId, role: "editor", actor });
    const body = { customerId, items: ONE_LINE };
    const key = randomUUID();
    const first = await post("/v1/orders", body, key);
    expectReplay(await post("/v1/orders", body, key, rotated), first);
    const readOnly = signedClient(orders.url, orders.secret, { tenantId, actor, scopes: ["read:crm"] });
    expect((await post("/v1/orders", body, key, readOnly)).status).toBe(403);
  });

  test("recognises a request despite other spacing or key order in its JSON, but not with another digit", async () => {
    const headers = { ...JSON_TYPE, "idempotency-key": randomUUID() };
    const send = (metadata: string, more = "") =>
      shop.client.send("POST", "/v1/orders", {
        headers,
        body: `{ "metadata" :${metadata},\n"items":[{"name":"Mug", "sku":"A-1"}] ${more},"customerId":"${shop.customerId}" }`,
      });
    const first = await shop.client.send("POST", "/v1/orders", {
      headers,
      body: `{"customerId":"${shop.customerId}","items":[{"sku":"A-1","name":"Mug"}],"metadata":{"b":[1,2],"a":12345678901234567890}}`,
    });
    expect(first.status).toBe(201);
    expectReplay(await send('{"a":12345678901234567890 , "b":[ 1,2 ]}'), first);
    expectReused(await send('{"a":12345678901234567891,"b":[1,2]}'));
    expectReused(await send('{"a":12345678901234567890,"b":[2,1]}'));
    expectReused(await send('{"a":12345678901234567890,"b":[1,2],"__proto__":{"x":1}}'));
    expectReused(await send('{"a":12345678901234567890,"b":[1,2]}', ',"currency":"USD"'));
  });

  test("treats no body and an empty body as the same", async () => {
    const path = `${await newOrder(shop)}/fulfill`;
    const key = randomUUID();
    const first = await post(path, undefined, key);
    expect(first.status).toBe(200);
    expectReplay(await post(path, {}, key), first);
  });
});
