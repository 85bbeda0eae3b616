// Which responses are stored for an Idempotency-Key: first responses, verbatim, but never a failure.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ClientResponse } from "@tradepost/testing";
import { countRows } from "./support/count-rows.ts";
import { startTestOrders, type TestOrders, type TestShop } from "./support/test-orders.ts";

const ONE_LINE = [{ sku: "A-1", name: "Mug", unitPrice: 10 }];

describe("the response to a repeated Idempotency-Key", () => {
  let orders: TestOrders;
  let shop: TestShop;
  beforeAll(async () => {
    orders = await startTestOrders();
    shop = await orders.openShop();
  });
  afterAll(() => orders.stop());

  const post = (path: string, body: unknown, key: string) =>
    shop.client.post(path, body, { "idempotency-key": key });
  const order = (overrides: object = {}) => ({ customerId: shop.customerId, items: ONE_LINE, ...overrides });
  const outcome = ({ status, headers, body }: ClientResponse) => [
    status,
    body.error?.code ?? headers.get("idempotent-replayed"),
  ];

  test("is the first one even after the order has changed", async () => {
    const keys = { place: randomUUID(), pay: randomUUID() };
    const placed = await post("/v1/orders", order(), keys.place);
    const path = `/v1/orders/${placed.body.data.id}`;
    const paid = await post(`${path}/payments`, { status: "succeeded" }, keys.pay);
    await shop.client.post(`${path}/refund`, { amount: 10 });
    await shop.client.post(`${path}/cancel`);
    const placedAgain = await post("/v1/orders", order(), keys.place);
    expect([placedAgain.body, placedAgain.headers.get("etag")]).toEqual([placed.body, '"1"']);
    const paidAgain = await post(`${path}/payments`, { status: "succeeded" }, keys.pay);
    expect([paidAgain.body, paidAgain.headers.get("etag")]).toEqual([paid.body, '"2"']);
    const { data } = (await shop.client.get(path)).body;
    expect([data.status, data.paymentStatus, data.version]).toEqual(["cancelled", "refunded", 4]);
  });

  test("is the first one for an action with If-Match, even if the version has changed", async () => {
    const placed = await shop.client.post("/v1/orders", order());
    const fulfill = () =>
      shop.client.post(`/v1/orders/${placed.body.data.id}/fulfill`, undefined, {
        "idempotency-key": "fulfill-once",
        "if-match": '"1"',
      });
    expect(outcome(await fulfill())).toEqual([200, null]);
    expect(outcome(await fulfill())).toEqual([200, "true"]);
  });

  test("is 201 again for a supplied orderNumber, although an order now has it", async () => {
    const key = randomUUID();
    const body = order({ orderNumber: "WEB-1" });
    const first = await post("/v1/orders", body, key);
    const again = await post("/v1/orders", body, key);
    expect([outcome(first), outcome(again)]).toEqual([
      [201, null],
      [201, "true"],
    ]);
    expect(again.body).toEqual(first.body);
    expect(outcome(await post("/v1/orders", body, randomUUID()))).toEqual([409, "order_number_taken"]);
  });

  test("is 201 again for a customer's externalId, although a customer now has it", async () => {
    const key = randomUUID();
    const body = { name: "Grace", externalId: "crm-1" };
    const first = await post("/v1/customers", body, key);
    const again = await post("/v1/customers", body, key);
    expect([outcome(again), again.body]).toEqual([[201, "true"], first.body]);
  });

  test("contains the internal note, and metadata and addresses to the last digit", async () => {
    const metadata = '{"big":12345678901234567890123,"tiny":1e-400,"text":"\\" é 😀","__proto__":{"x":1}}';
    const body =
      `{"customerId":"${shop.customerId}","items":[{"sku":"A","name":"Mug","unitPrice":0.1,"quantity":3}],` +
      `"internalNote":"call \\"before\\"\\n\\t é","metadata":${metadata},` +
      `"shippingAddress":{"line1":"a","city":"b","plot":98765432109876543210}}`;
    const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
    const first = await shop.client.send("POST", "/v1/orders", { headers, body });
    const again = await shop.client.send("POST", "/v1/orders", { headers, body });
    expect([outcome(first), outcome(again)]).toEqual([
      [201, null],
      [201, "true"],
    ]);
    expect(again.body).toEqual(first.body);
    expect(again.body.data.internalNote).toBe('call "before"\n\t é');
    expect(again.text).toContain(`"metadata":${metadata}`);
    expect(again.text).toContain('"plot":98765432109876543210');
  });

  test.each([
    ["404 for an unknown customer", { customerId: randomUUID() }, "not_found"],
    ["422 for an invalid body", { items: [] }, "validation_error"],
    ["422 for a negative total", { discountTotal: 11 }, "validation_error"],
    ["409 for a number that another order has", { orderNumber: "TAKEN" }, "order_number_taken"],
  ])(
    "is not stored if it is %s: the corrected request succeeds with the same key",
    async (_what, overrides, code) => {
      await shop.client.post("/v1/orders", order({ orderNumber: "TAKEN" }));
      const key = randomUUID();
      for (const _ of ["once", "and again"]) {
        expect(outcome(await post("/v1/orders", order(overrides), key))).toEqual([expect.any(Number), code]);
      }
      expect(outcome(await post("/v1/orders", order(), key))).toEqual([201, null]);
      expect(outcome(await post("/v1/orders", order(), key))).toEqual([201, "true"]);
    },
  );

  test("is not stored if an action is refused: it succeeds once the order allows it", async () => {
    const { body } = await shop.client.post("/v1/orders", order());
    const path = `/v1/orders/${body.data.id}`;
    const key = randomUUID();
    expect(outcome(await post(`${path}/deliver`, {}, key))).toEqual([409, "invalid_transition"]);
    await shop.client.post(`${path}/fulfill`);
    expect(outcome(await post(`${path}/deliver`, {}, key))).toEqual([200, null]);
    expect(outcome(await post(`/v1/orders/${randomUUID()}/cancel`, {}, key))).toEqual([404, "not_found"]);
    expect(outcome(await post(`${path}/cancel`, {}, key))).toEqual([409, "invalid_transition"]);
  });

  test("is not stored if a customer is refused", async () => {
    await shop.client.post("/v1/customers", { name: "Ada", externalId: "crm-2" });
    const records = await countRows(orders, "idempotency_records", shop.tenantId);
    const key = randomUUID();
    const taken = await post("/v1/customers", { name: "Eve", externalId: "crm-2" }, key);
    expect(outcome(taken)).toEqual([409, "conflict"]);
    expect(await countRows(orders, "idempotency_records", shop.tenantId)).toBe(records);
    expect(outcome(await post("/v1/customers", { name: "Eve" }, key))).toEqual([201, null]);
  });
});

describe("an invalid Idempotency-Key", () => {
  let orders: TestOrders;
  let shop: TestShop;
  beforeAll(async () => {
    orders = await startTestOrders();
    shop = await orders.openShop();
  });
  afterAll(() => orders.stop());

  const BAD_KEYS = [
    ["empty", ""],
    ["256 characters long", "k".repeat(256)],
    ["with a space inside", "a b"],
    ["with a tab inside", "a\tb"],
    ["with a letter beyond ASCII", "clé"],
  ] as const;
  const pathsOf = ({ status, body }: ClientResponse) => [
    status,
    body.error?.code,
    body.error?.details?.map(({ path }: { path: string }) => path).sort(),
  ];

  test.each(BAD_KEYS)(
    "(%s) is refused with 422 on every POST, listed with the faults of the body",
    async (_what, key) => {
      const { client, customerId } = shop;
      const placed = await client.post("/v1/orders", { customerId, items: ONE_LINE });
      const path = `/v1/orders/${placed.body.data.id}`;
      const requests: [string, object | undefined, string[]][] = [
        ["/v1/orders", { customerId, items: ONE_LINE }, []],
        ["/v1/orders", { items: [{ sku: "A" }], surprise: 1 }, ["customerId", "items[0].name", "surprise"]],
        ["/v1/orders/bulk", { orders: [{ customerId, items: ONE_LINE }] }, []],
        ["/v1/orders/bulk", { orders: [], surprise: 1 }, ["orders", "surprise"]],
        ["/v1/customers", { name: "" }, ["name"]],
        [`${path}/payments`, {}, ["status"]],
        [`${path}/fulfill`, undefined, []],
        [`${path}/deliver`, { to: "me" }, ["to"]],
        [`${path}/cancel`, undefined, []],
        [`${path}/refund`, { amount: 0 }, ["amount"]],
      ];
      for (const [path, body, faults] of requests) {
        const response = await client.post(path, body, { "idempotency-key": key });
        expect([path, ...pathsOf(response)]).toEqual([
          path,
          422,
          "validation_error",
          ["Idempotency-Key", ...faults],
        ]);
      }
      expect((await client.get(path)).body.data.version).toBe(1);
    },
  );

  test("is not one of 1 to 255 visible ASCII characters", async () => {
    const { client, customerId } = shop;
    const visible = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index));
    for (const key of ["k", "k".repeat(255), visible.join("")]) {
      const send = () =>
        client.post("/v1/orders", { customerId, items: ONE_LINE }, { "idempotency-key": key });
      expect((await send()).status).toBe(201);
      expect((await send()).headers.get("idempotent-replayed")).toBe("true");
    }
  });
});
