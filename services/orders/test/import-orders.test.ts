// POST /v1/orders/bulk: up to 100 orders in one request, each of which succeeds or fails by itself. With dryRun=true it says what
// it would do (interface §19).

import { randomUUID } from "node:crypto";
import { faultPaths, invalidFields } from "@tradepost/testing";
import { line, ownTestOrders, type TestShop } from "./support/test-orders.ts";

const ORDERS_MAX = 100;

interface Result {
  readonly index: number;
  readonly success: boolean;
  readonly data?: { readonly id: string; readonly orderNumber: string; readonly total: number };
  readonly error?: { readonly code: string; readonly requestId: string; readonly details?: unknown[] };
}

let shop: TestShop;
const orders = await ownTestOrders({ replicas: 2 });
beforeEach(async () => {
  shop = await orders.openShop();
});

const order = (fields?: object) => shop.order(fields);
const outcomes = (results: readonly Result[]) =>
  results.map(({ data, error }) => data?.orderNumber ?? error?.code);

describe("an import of orders", () => {
  const importOrders = async (list: unknown, client = shop.client) => {
    const { status, body, headers } = await client.post("/v1/orders/bulk", { orders: list });
    expect([status, body.success]).toEqual([200, true]);
    return { results: body.data as Result[], requestId: headers.get("x-request-id") };
  };
  const many = <Item>(count: number, item: (index: number) => Item) =>
    Array.from({ length: count }, (_, index) => item(index));
  const numbers = (from: number, count: number) => many(count, (index) => String(from + index));

  test(`of ${ORDERS_MAX} responds with the order or the error of each, by index`, async () => {
    const kinds = [
      // Pairs of successive orders supply the same number.
      (index: number) => order({ orderNumber: `WEB-${Math.floor(index / 10)}`, customerNote: `${index}` }),
      () => order({ items: [line({ quantity: 0 })], surprise: 1 }),
      () => order({ customerId: randomUUID() }),
      (index: number) => order({ customerNote: `${index}` }),
      () => order({ customerId: "malformed" }),
    ];
    const list = many(ORDERS_MAX, (index) => kinds[index % kinds.length]?.(index));
    const { results, requestId } = await importOrders(list);

    expect(results.map(({ index }) => index)).toEqual(many(ORDERS_MAX, (index) => index));
    let generated = 1001;
    expect(outcomes(results)).toEqual(
      many(ORDERS_MAX, (index) => {
        if (index % 10 === 0) return `WEB-${index / 10}`;
        if (index % 5 === 0) return "order_number_taken";
        if (index % 5 === 3) return String(generated++);
        return index % 5 === 1 ? "validation_error" : "not_found";
      }),
    );
    for (const { success, data, error } of results) {
      expect([data === undefined, error === undefined]).toEqual([!success, success]);
      if (error !== undefined) expect(error.requestId).toBe(requestId);
      const isInvalid = error?.code === "validation_error";
      expect(faultPaths({ body: { error } })).toEqual(isInvalid ? ["items[0].quantity", "surprise"] : []);
    }
    const placed = results.flatMap(({ data }) => data ?? []);
    for (const { id, ...shown } of placed.slice(0, 5)) {
      expect((await shop.client.get(`/v1/orders/${id}`)).body.data).toEqual({ id, ...shown });
    }
    expect(placed).toMatchObject(
      results.filter(({ success }) => success).map(({ index }) => ({ customerNote: `${index}` })),
    );
    expect(await shop.count("orders")).toBe(placed.length);
    const published = await shop.published(placed.length);
    expect(published.map(({ data }) => data.order.id).sort()).toEqual(placed.map(({ id }) => id).sort());
  });

  test("validates each order by itself", async () => {
    const { results } = await importOrders([
      null,
      "order",
      [],
      {},
      order({ customerNote: "a\u0000b" }),
      order({ discountTotal: 11 }),
      order({ currency: "JPY", shippingTotal: 0.5 }),
      order({ metadata: many(70, () => "a").reduce<object>((inner, name) => ({ [name]: inner }), {}) }),
      order(),
    ]);
    expect(results.map(({ success, error }) => success || error?.code)).toEqual([
      ...many(8, () => "validation_error"),
      true,
    ]);
    expect(results[8]?.data?.orderNumber).toBe("1001");
    for (const { error } of results.slice(0, 8)) expect(error?.details).not.toEqual([]);
    expect(results[0]?.error?.details).toEqual([
      { path: expect.stringMatching(/\S/), message: expect.stringMatching(/object/) },
    ]);
  });

  test("is 200 and writes nothing if every order fails", async () => {
    const { results } = await importOrders(many(3, () => order({ items: [] })));
    expect(results.map(({ success }) => success)).toEqual([false, false, false]);
    expect(await shop.count("orders")).toBe(0);
    expect((await shop.client.post("/v1/orders", order())).body.data.orderNumber).toBe("1001");
  });

  test("skips the numbers that it supplies itself, and leaves no gap", async () => {
    const supplied = ["1001", "1002", "1005", "1050", "1051", "X-1"];
    const list = many(ORDERS_MAX, (index) => order({ orderNumber: supplied[index] }));
    const { results } = await importOrders(list);
    expect(results.filter(({ success }) => success)).toHaveLength(ORDERS_MAX);
    const taken = results.map(({ data }) => data?.orderNumber);
    expect(taken.slice(0, supplied.length)).toEqual(supplied);
    // 94 generated numbers, with the five supplied ones among them.
    expect(taken.filter((number) => number !== "X-1").sort()).toEqual(numbers(1001, 99));
    expect((await shop.client.post("/v1/orders", order())).body.data.orderNumber).toBe("1100");
  });

  test("refuses a supplied number that another order has, also one generated in the same import", async () => {
    await shop.client.post("/v1/orders", order({ orderNumber: "WEB-1" }));
    const list = [undefined, "1001", "WEB-1", undefined].map((orderNumber) => order({ orderNumber }));
    const { results } = await importOrders(list);
    expect(outcomes(results)).toEqual(["1001", "order_number_taken", "order_number_taken", "1002"]);
  });

  test.each([
    ["no order", () => ({ orders: [] })],
    ["101 orders", () => ({ orders: many(ORDERS_MAX + 1, () => order()) })],
    ["orders that are not a list", () => ({ orders: { 0: order() } })],
    ["orders that are null", () => ({ orders: null })],
    ["no field orders", () => ({})],
  ])("refuses %s as a whole with 422", async (_what, body) => {
    expect(invalidFields(await shop.client.post("/v1/orders/bulk", body()))).toBe("orders");
    expect(await shop.count("orders")).toBe(0);
  });

  test("gives each number to one order, at the same moment as another import with the same numbers in reverse", async () => {
    const supplied = many(ORDERS_MAX, (index) => order({ orderNumber: `WEB-${index}` }));
    const [one, other] = orders.urls.map((url) => shop.clientAt(url));
    const [forth, back, singles] = await Promise.all([
      importOrders(supplied, one),
      importOrders(supplied.toReversed(), other),
      Promise.all(supplied.map((single) => shop.client.post("/v1/orders", single))),
    ]);
    const winners = many(ORDERS_MAX, (index) => [
      forth.results[index]?.success,
      back.results[ORDERS_MAX - 1 - index]?.success,
      singles[index]?.status === 201,
    ]);
    for (const claims of winners) expect(claims.filter(Boolean)).toHaveLength(1);
    const failed = [forth, back].flatMap(({ results }) => results.flatMap(({ error }) => error ?? []));
    expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(["order_number_taken"]));
    expect(await shop.count("orders")).toBe(ORDERS_MAX);
  });
});

describe("a dry run of an import", () => {
  const tables = ["orders", "idempotency_records", "events"] as const;
  const written = () => Promise.all(tables.map(shop.count));

  test("has the response of the import, and writes nothing", async () => {
    await shop.client.post("/v1/orders", order({ orderNumber: "taken" }));
    const before = await written();
    expect(before).toEqual([1, 0, 2]);
    const headers = { "idempotency-key": "import-1" };
    const list = [
      order({ externalId: "one", shippingTotal: 1.5 }),
      order({ customerId: randomUUID() }),
      order({ items: [] }),
      order({ externalId: "one" }),
      order({ orderNumber: "taken" }),
      order({ expectedTotal: 11 }),
      order(),
    ];
    const codes = ["not_found", "validation_error", "order_exists", "order_number_taken", "validation_error"];
    const send = async (dryRun: boolean) => {
      const path = `/v1/orders/bulk?dryRun=${dryRun}`;
      const { status, headers: sent, body } = await shop.client.post(path, { orders: list }, headers);
      expect([status, sent.get("idempotent-replayed")]).toEqual([200, null]);
      return body.data as Result[];
    };
    for (const _ of ["first", "again"]) {
      const [first, ...others] = await send(true);
      expect(first?.data).toMatchObject({ orderNumber: "1001", total: 11.5 });
      expect(outcomes(others)).toEqual([...codes, "1002"]);
      expect(await written()).toEqual(before);
      expect((await shop.client.get(`/v1/orders/${first?.data?.id}`)).status).toBe(404);
    }
    expect(outcomes(await send(false))).toEqual(["1001", ...codes, "1002"]);
    expect(outcomes(await send(true))[0]).toBe("order_exists");
  });

  test("leaves no number out", async () => {
    for (let count = 0; count < 3; count += 1)
      await shop.client.post("/v1/orders/bulk?dryRun=true", { orders: [order(), order()] });
    expect((await shop.client.post("/v1/orders", order())).body.data.orderNumber).toBe("1001");
  });

  test.each([
    ["dryRun=yes", { orders: [{}] }, "dryRun"],
    ["dryRun=true&limit=1", { orders: [] }, "limit orders"],
  ])("with %s is 422", async (query, body, fields) => {
    expect(invalidFields(await shop.client.post(`/v1/orders/bulk?${query}`, body))).toBe(fields);
  });
});
