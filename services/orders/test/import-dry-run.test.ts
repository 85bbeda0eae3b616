// POST /v1/orders/bulk?dryRun=true says what an import would do (interface §19).

import { randomUUID } from "node:crypto";
import { invalidFields } from "@tradepost/testing";
import { sharedTestOrders } from "./support/test-orders.ts";

const orders = await sharedTestOrders();
const shop = await orders.openShop();

describe("a dry run of an import", () => {
  const { order } = shop;
  const written = async () => ({
    orders: await shop.count("orders"),
    records: await shop.count("idempotency_records"),
    events: await shop.count("events"),
  });
  const list = () => [
    order({ externalId: "one", shippingTotal: 1.5 }),
    order({ customerId: randomUUID() }),
    order({ items: [] }),
    order({ externalId: "one" }),
    order({ orderNumber: "taken" }),
    order({ expectedTotal: 11 }),
    order(),
  ];
  type Result = { success: boolean; data?: { orderNumber: string; total: number }; error?: { code: string } };
  const outcomes = (results: readonly Result[]) =>
    results.map(({ data, error }) => data?.orderNumber ?? error?.code);

  test("has the response of the import, and writes nothing", async () => {
    await shop.client.post("/v1/orders", order({ orderNumber: "taken" }));
    const before = await written();
    expect(before).toEqual({ orders: 1, records: 0, events: 2 });
    const headers = { "idempotency-key": "import-1" };
    const body = { orders: list() };
    const tried = await shop.client.post("/v1/orders/bulk?dryRun=true", body, headers);
    expect(tried.status).toBe(200);
    const codes = ["not_found", "validation_error", "order_exists", "order_number_taken", "validation_error"];
    const expected = ["1001", ...codes, "1002"];
    expect(outcomes(tried.body.data)).toEqual(expected);
    expect(tried.body.data[0].data.total).toBe(11.5);
    expect(await written()).toEqual(before);
    const again = await shop.client.post("/v1/orders/bulk?dryRun=true", body, headers);
    expect([outcomes(again.body.data), again.headers.get("idempotent-replayed")]).toEqual([expected, null]);
    expect((await shop.client.get(`/v1/orders/${tried.body.data[0].data.id}`)).status).toBe(404);

    const imported = await shop.client.post("/v1/orders/bulk?dryRun=false", body, headers);
    expect(outcomes(imported.body.data)).toEqual(expected);
    expect(imported.headers.has("idempotent-replayed")).toBe(false);
    const late = await shop.client.post("/v1/orders/bulk?dryRun=true", body, headers);
    expect(outcomes(late.body.data)[0]).toBe("order_exists");
  });

  test("leaves no number out", async () => {
    const own = await orders.openShop();
    for (let count = 0; count < 3; count += 1)
      await own.client.post("/v1/orders/bulk?dryRun=true", { orders: [own.order(), own.order()] });
    expect((await own.client.post("/v1/orders", own.order())).body.data.orderNumber).toBe("1001");
  });

  test.each([
    ["dryRun=yes", { orders: [{}] }, "dryRun"],
    ["dryRun=true&limit=1", { orders: [] }, "limit orders"],
  ])("with %s is 422", async (query, body, fields) => {
    expect(invalidFields(await shop.client.post(`/v1/orders/bulk?${query}`, body))).toBe(fields);
  });
});
