// Requests with the same Idempotency-Key at the same moment on two replicas: one takes effect, and all get its response.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { ClientResponse } from "@tradepost/testing";
import { countRows } from "./support/count-rows.ts";
import { lockOrderNumbers } from "./support/lock-order-numbers.ts";
import { startTestOrders, type TestOrders, type TestShop } from "./support/test-orders.ts";
import { watchEvents } from "./support/watch-events.ts";

const REQUESTS = 12;
const ONE_LINE = [{ sku: "A-1", name: "Mug", unitPrice: 10 }];

describe(`${REQUESTS} requests with one Idempotency-Key at once on two replicas`, () => {
  let orders: TestOrders;
  let events: Awaited<ReturnType<typeof watchEvents>>;
  beforeAll(async () => {
    orders = await startTestOrders({ replicas: 2 });
    events = await watchEvents(orders);
  });
  afterAll(async () => {
    await events.stop();
    await orders.stop();
  });

  const sendAll = (shop: TestShop, path: string, bodyOf: (index: number) => object, key = randomUUID()) =>
    Promise.all(
      Array.from({ length: REQUESTS }, (_, index) => {
        const client = shop.clientAt(orders.urls[index % orders.urls.length] ?? "");
        return client.post(path, bodyOf(index), { "idempotency-key": key });
      }),
    );
  const expectOneResponse = (responses: ClientResponse[], status: number) => {
    const [first, ...others] = responses;
    expect(first?.status).toBe(status);
    for (const { status, body, headers } of others) {
      expect([status, body, headers.get("etag")]).toEqual([
        first?.status,
        first?.body,
        first?.headers.get("etag"),
      ]);
    }
    const replayed = responses.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
    expect(replayed).toHaveLength(REQUESTS - 1);
  };
  const expectOnce = async ({ tenantId }: TestShop, ordersCount: number, types: string[]) => {
    expect(await countRows(orders, "orders", tenantId)).toBe(ordersCount);
    expect(await countRows(orders, "idempotency_records", tenantId)).toBe(1);
    expect((await events.all(tenantId, types.length)).map(({ type }) => type)).toEqual(types);
  };

  test.each([
    ["with a generated number", undefined],
    ["with a supplied number", "WEB-1"],
  ])("place one order %s", async (_what, orderNumber) => {
    const shop = await orders.openShop();
    const body = { customerId: shop.customerId, items: ONE_LINE, orderNumber };
    expectOneResponse(await sendAll(shop, "/v1/orders", () => body), 201);
    await expectOnce(shop, 1, ["order.placed"]);
    const next = await shop.client.post("/v1/orders", { customerId: shop.customerId, items: ONE_LINE });
    expect(next.body.data.orderNumber).toBe(orderNumber === undefined ? "1002" : "1001");
  });

  test("place one order although all their statements are already running", async () => {
    const shop = await orders.openShop();
    const body = { customerId: shop.customerId, items: ONE_LINE };
    await shop.client.post("/v1/orders", body);
    const locked = await lockOrderNumbers(orders, shop.tenantId);
    const pending = sendAll(shop, "/v1/orders", () => body);
    await locked.waiting(REQUESTS);
    await locked.release();
    expectOneResponse(await pending, 201);
    await expectOnce(shop, 2, ["order.placed", "order.placed"]);
    expect((await shop.client.post("/v1/orders", body)).body.data.orderNumber).toBe("1003");
  });

  test("import a list of orders once, with its failures", async () => {
    const shop = await orders.openShop();
    const good = { customerId: shop.customerId, items: ONE_LINE };
    const body = { orders: [good, { ...good, items: [] }, { ...good, orderNumber: "WEB-1" }, good] };
    const responses = await sendAll(shop, "/v1/orders/bulk", () => body);
    expectOneResponse(responses, 200);
    const succeeded = responses[0]?.body.data.map(({ success }: { success: boolean }) => success);
    expect(succeeded).toEqual([true, false, true, true]);
    await expectOnce(shop, 3, ["order.placed", "order.placed", "order.placed"]);
  });

  test("create one customer with an externalId", async () => {
    const shop = await orders.openShop();
    const responses = await sendAll(shop, "/v1/customers", () => ({ name: "Grace", externalId: "crm-9" }));
    expectOneResponse(responses, 201);
    expect(await countRows(orders, "customers", shop.tenantId)).toBe(2);
  });

  test("refund once, although more could be refunded", async () => {
    const shop = await orders.openShop();
    const placed = await shop.client.post("/v1/orders", {
      customerId: shop.customerId,
      items: [{ sku: "A-1", name: "Mug", unitPrice: 100 }],
    });
    const path = `/v1/orders/${placed.body.data.id}`;
    await shop.client.post(`${path}/payments`, { status: "succeeded" });
    const responses = await sendAll(shop, `${path}/refund`, () => ({ amount: 1 }));
    expectOneResponse(responses, 200);
    await expectOnce(shop, 1, ["order.placed", "order.paid", "order.refunded"]);
    const { data } = (await shop.client.get(path)).body;
    expect([data.refundedTotal, data.version]).toEqual([1, 3]);
  });

  test("of two different bodies accept one body and refuse the other", async () => {
    const shop = await orders.openShop();
    const bodyOf = (index: number) => ({
      customerId: shop.customerId,
      items: ONE_LINE,
      customerNote: index < REQUESTS / 2 ? "one" : "other",
    });
    const responses = await sendAll(shop, "/v1/orders", bodyOf);
    const winner = responses.find(({ status }) => status === 201)?.body.data;
    responses.forEach(({ status, body }, index) => {
      const isWinners = bodyOf(index).customerNote === winner.customerNote;
      expect([status, body.error?.code, body.data?.id]).toEqual(
        isWinners ? [201, undefined, winner.id] : [422, "idempotency_key_reused", undefined],
      );
    });
    await expectOnce(shop, 1, ["order.placed"]);
  });

  test("each take effect under different keys", async () => {
    const shop = await orders.openShop();
    const body = { customerId: shop.customerId, items: ONE_LINE };
    const responses = await Promise.all(
      Array.from({ length: REQUESTS }, (_, index) =>
        shop
          .clientAt(orders.urls[index % 2] ?? "")
          .post("/v1/orders", body, { "idempotency-key": `${index}` }),
      ),
    );
    expect(new Set(responses.map((response) => response.body.data.id)).size).toBe(REQUESTS);
  });
});
