// Each invalid order is refused with the exact error, and leaves no row, no event and no gap in the order numbers.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { captureMessages, until } from "@tradepost/testing";
import pg from "pg";
import { expectFailure } from "./support/expect-failure.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

type Body = Record<string, unknown>;
const LINE = { sku: "A-1", name: "Mug", quantity: 2, unitPrice: 5 };

describe("a bad order", () => {
  let platform: TestPlatform;
  let database: pg.Client;
  let captured: Awaited<ReturnType<typeof captureMessages>>;
  let tenant: TestTenant;
  let stranger: TestTenant;
  // The number of valid orders so far, which determines the next order number.
  let placedCount = 0;

  beforeAll(async () => {
    platform = await startTestPlatform();
    database = new pg.Client(platform.databases.orders);
    await database.connect();
    captured = await captureMessages(platform.broker.amqpUrl, "order.#");
    [tenant, stranger] = [await platform.createTenant(), await platform.createTenant()];
    await placeGoodOrder();
  });
  afterAll(async () => {
    await captured.stop();
    await database.end();
    await platform.stop();
  });

  const goodOrder = (differing: Body = {}): Body => ({
    customerId: tenant.customerId,
    items: [LINE],
    ...differing,
  });
  const send = (body: string) =>
    tenant.key.send("POST", "/v1/orders", { headers: { "content-type": "application/json" }, body });

  async function placeGoodOrder(): Promise<void> {
    const { status, body } = await tenant.key.post("/v1/orders", goodOrder());
    expect([status, body.data?.orderNumber]).toEqual([201, String(1001 + placedCount)]);
    placedCount += 1;
  }

  /** Checks that there is one row for each valid order, that the outbox is empty, and that the order numbers have no gap. */
  async function expectNoTrace(): Promise<void> {
    const count = async (table: string) => (await database.query(`select 1 from ${table}`)).rowCount;
    expect(await count("orders")).toBe(placedCount);
    expect(await count("order_lines")).toBe(placedCount);
    await until("an empty outbox", async () => (await count("outbox")) === 0);
    await placeGoodOrder();
    await until("the good orders' events", () => captured.messages.length >= placedCount);
    expect(captured.messages).toHaveLength(placedCount);
  }

  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

  test.each<[string, () => string, number, string]>([
    ["that is no JSON", () => "{'items': []}", 400, "invalid_json"],
    ["that is cut short", () => JSON.stringify(goodOrder()).slice(0, -1), 400, "invalid_json"],
    ["of no bytes", () => "", 400, "invalid_json"],
    [
      "of 3 MiB",
      () => JSON.stringify(goodOrder({ metadata: { x: "x".repeat(3 * 1024 * 1024) } })),
      413,
      "payload_too_large",
    ],
    [
      "of a customer whose id is not a UUID",
      () => JSON.stringify(goodOrder({ customerId: "ada" })),
      404,
      "not_found",
    ],
    ["of a customer with an empty id", () => JSON.stringify(goodOrder({ customerId: "" })), 404, "not_found"],
    [
      "of a customer that does not exist",
      () => JSON.stringify(goodOrder({ customerId: randomUUID() })),
      404,
      "not_found",
    ],
    [
      "of another tenant's customer",
      () => JSON.stringify(goodOrder({ customerId: stranger.customerId })),
      404,
      "not_found",
    ],
    [
      "with a number that exists",
      () => JSON.stringify(goodOrder({ orderNumber: "1001" })),
      409,
      "order_number_taken",
    ],
  ])("%s is refused", async (_what, body, status, code) => {
    expectFailure(await send(body()), status, code);
    await expectNoTrace();
  });

  test.each<[string, Body, string[]]>([
    ["without a customer", { customerId: undefined }, ["customerId"]],
    ["whose customerId is a number", { customerId: 7 }, ["customerId"]],
    ["without items", { items: undefined }, ["items"]],
    ["with no items", { items: [] }, ["items"]],
    ["with 501 items", { items: Array(501).fill(LINE) }, ["items"]],
    ["whose items are an object", { items: { 0: LINE } }, ["items"]],
    ["with null for a line", { items: [LINE, null] }, ["items[1]"]],
    ["without a sku", { items: [LINE, { name: "Mug" }] }, ["items[1].sku"]],
    ["with an empty sku and no name", { items: [{ sku: " " }] }, ["items[0].name", "items[0].sku"]],
    ["of quantity 0", { items: [{ ...LINE, quantity: 0 }] }, ["items[0].quantity"]],
    ["of quantity -1", { items: [{ ...LINE, quantity: -1 }] }, ["items[0].quantity"]],
    ["of quantity 1.5", { items: [{ ...LINE, quantity: 1.5 }] }, ["items[0].quantity"]],
    ['of quantity "2"', { items: [{ ...LINE, quantity: "2" }] }, ["items[0].quantity"]],
    ["of sku null", { items: [{ ...LINE, sku: null }] }, ["items[0].sku"]],
    [
      "with a quantity that is too large",
      { items: [{ ...LINE, unitPrice: 0, quantity: 1e15 }] },
      ["items[0].quantity"],
    ],
    ["of a product that is no UUID", { items: [{ ...LINE, productId: "mug" }] }, ["items[0].productId"]],
    [
      "with unknown fields",
      { tenantId: "x", total: 1, items: [{ ...LINE, subtotal: 1 }] },
      ["items[0].subtotal", "tenantId", "total"],
    ],
    ["by an unknown channel", { channel: "phone" }, ["channel"]],
    ["in an unknown currency", { currency: "ABC" }, ["currency"]],
    ["in a lower-case currency", { currency: "usd" }, ["currency"]],
    ["in no currency", { currency: "" }, ["currency"]],
    ["of 3 decimals in USD", { shippingTotal: 1.005, taxTotal: 0.001 }, ["shippingTotal", "taxTotal"]],
    ["of 1 decimal in JPY", { currency: "JPY", discountTotal: 0.5 }, ["discountTotal"]],
    [
      "with 4 decimals in KWD",
      { currency: "KWD", items: [{ ...LINE, taxAmount: 0.0001 }] },
      ["items[0].taxAmount"],
    ],
    ["of a unit price of 5 decimals", { items: [{ ...LINE, unitPrice: 0.00001 }] }, ["items[0].unitPrice"]],
    [
      "with negative amounts",
      {
        shippingTotal: -1,
        discountTotal: -0.01,
        taxTotal: -1,
        items: [{ ...LINE, unitPrice: -5, taxAmount: -1 }],
      },
      ["discountTotal", "items[0].taxAmount", "items[0].unitPrice", "shippingTotal", "taxTotal"],
    ],
    [
      "with amounts in quotes",
      { shippingTotal: "1", items: [{ ...LINE, unitPrice: "5" }] },
      ["items[0].unitPrice", "shippingTotal"],
    ],
    ["of more than the largest amount", { shippingTotal: 100_000_000_000 }, ["shippingTotal"]],
    [
      "with a line total that is too large",
      { items: [{ ...LINE, quantity: 3, unitPrice: 50_000_000_000 }] },
      ["items[0].subtotal", "subtotal", "total"],
    ],
    [
      "with a subtotal that is too large",
      { items: Array(3).fill({ ...LINE, quantity: 1, unitPrice: 40_000_000_000 }) },
      ["subtotal", "total"],
    ],
    [
      "with a total that is too large",
      { items: [{ ...LINE, quantity: 1, unitPrice: 99_999_999_999 }], shippingTotal: 1 },
      ["total"],
    ],
    ["of more discount than all the rest", { discountTotal: 10.01 }, ["discountTotal"]],
    ["whose metadata is a list", { metadata: [] }, ["metadata"]],
    ["whose metadata is text", { metadata: "{}" }, ["metadata"]],
    [
      "to an address without a city",
      { shippingAddress: { line1: "1 Harbour Street" } },
      ["shippingAddress.city"],
    ],
    ["to an address that is a list", { billingAddress: [] }, ["billingAddress"]],
    [
      "with a NUL character",
      { items: [{ ...LINE, sku: "A\u0000" }], customerNote: "\u0000" },
      ["customerNote", "items[0].sku"],
    ],
    [
      "with half a surrogate pair",
      { customerNote: "\ud800", shippingAddress: { line1: "\udc00", city: "\u0000" } },
      ["customerNote", "shippingAddress.city", "shippingAddress.line1"],
    ],
    ["with a NUL character in an unknown name", { "a\u0000": 1 }, ["a\u0000", "a\u0000"]],
    ["with an empty number", { orderNumber: "" }, ["orderNumber"]],
  ])("%s is 422 and names every field at fault", async (_what, differing, paths) => {
    expectFailure(await tenant.key.post("/v1/orders", goodOrder(differing)), 422, "validation_error", paths);
    await expectNoTrace();
  });

  test.each<[string, () => string]>([
    ["a number beyond every double", () => '"shippingTotal":1e400'],
    ["an amount of more digits than a double has", () => '"shippingTotal":1.00000000000000000001'],
    [
      "a quantity of more digits than a double has",
      () => `"items":[{"sku":"a","name":"a","quantity":1.00000000000000000001}]`,
    ],
    ["900,000 faults at once", () => `"items":[${"0,".repeat(900_000)}0]`],
    ["200,000 unknown fields", () => Array.from({ length: 200_000 }, (_, n) => `"${n}":0`).join()],
  ])("%s is 422, never a 5xx", async (_what, fields) => {
    const response = await send(`{"customerId":"${tenant.customerId}",${fields()}}`);
    expectFailure(response, 422, "validation_error");
    await expectNoTrace();
  });

  // The nesting is too deep for the parser (400) or above the limit (422).
  test.each(["metadata", "notAField"])("of 100,000 levels in %s is refused", async (field) => {
    const { status } = await send(
      `{"customerId":"${tenant.customerId}","items":[],"${field}":${nested(100_000)}}`,
    );
    expect([400, 422]).toContain(status);
    await expectNoTrace();
  });

  describe("with forged identity headers", () => {
    const forged = () => ({
      "x-tenant-id": stranger.tenantId,
      "x-role": "owner",
      "x-actor-type": "user",
      "x-modules": "crm",
    });

    test("does not find a customer of another tenant", async () => {
      const response = await tenant.key.post(
        "/v1/orders",
        goodOrder({ customerId: stranger.customerId }),
        forged(),
      );
      expectFailure(response, 404, "not_found");
      await expectNoTrace();
    });

    test("is placed for the tenant of the key if it is valid", async () => {
      const { status, body } = await tenant.key.post("/v1/orders", goodOrder(), forged());
      expect([status, body.data.customerId]).toEqual([201, tenant.customerId]);
      placedCount += 1;
      expect((await stranger.key.get(`/v1/orders/${body.data.id}`)).status).toBe(404);
      await expectNoTrace();
    });

    test("gains no role and no module", async () => {
      expectFailure(await tenant.key.post("/v1/webhooks/subscriptions", {}, forged()), 403, "forbidden");
      const withoutCrm = await platform.createTenant(["content"]);
      expectFailure(await withoutCrm.key.post("/v1/orders", {}, forged()), 403, "module_disabled");
    });
  });
});
