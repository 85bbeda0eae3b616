// Idempotency-Keys after a crash, a stop or a lost response, and expired keys: one order in the end.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { startFaultProxy, until } from "@tradepost/testing";
import { sql } from "kysely";
import { countRows } from "./support/count-rows.ts";
import { lockOrderNumbers } from "./support/lock-order-numbers.ts";
import { startTestOrders, type TestOrders, type TestShop } from "./support/test-orders.ts";
import { watchEvents } from "./support/watch-events.ts";

const ONE_LINE = [{ sku: "A-1", name: "Mug", unitPrice: 10 }];

describe("a request under an Idempotency-Key", () => {
  let orders: TestOrders;
  let shop: TestShop;
  beforeAll(async () => {
    orders = await startTestOrders();
  });
  afterAll(() => orders.stop());

  /** Opens a shop whose order numbers are locked, and returns a request that waits for them. */
  const openBusyShop = async (path = "/v1/orders") => {
    shop = await orders.openShop();
    const order = { customerId: shop.customerId, items: ONE_LINE };
    await shop.client.post("/v1/orders", order);
    const body = path === "/v1/orders" ? order : { orders: [order] };
    const key = randomUUID();
    const sendTo = (url = orders.url) =>
      shop.clientAt(new URL(url).origin).post(path, body, { "idempotency-key": key });
    return { sendTo, locked: await lockOrderNumbers(orders, shop.tenantId) };
  };
  const expectTwoOrders = async () => {
    expect(await countRows(orders, "orders", shop.tenantId)).toBe(2);
    expect(await countRows(orders, "idempotency_records", shop.tenantId)).toBe(1);
  };

  test.each(["/v1/orders", "/v1/orders/bulk"])(
    "to %s gets 503 when its database connection breaks, leaves no record, and succeeds when it is repeated",
    async (path) => {
      const { sendTo, locked } = await openBusyShop(path);
      const events = await watchEvents(orders);
      const pending = sendTo();
      for (const pid of await locked.waiting(1)) await locked.terminate(pid);
      const { status, body, headers } = await pending;
      expect([status, body.error.code]).toEqual([503, "service_unavailable"]);
      expect(headers.get("retry-after")).toMatch(/^\d+$/);
      await locked.release();
      expect(await countRows(orders, "orders", shop.tenantId)).toBe(1);
      expect(await countRows(orders, "idempotency_records", shop.tenantId)).toBe(0);

      const retried = await sendTo();
      expect([retried.status < 300, retried.headers.get("idempotent-replayed")]).toEqual([true, null]);
      expect((await sendTo()).headers.get("idempotent-replayed")).toBe("true");
      await expectTwoOrders();
      const ids = (await events.all(shop.tenantId, 1)).map(({ data }) => data.order.id);
      const { data } = retried.body;
      expect(ids).toContain(data.id ?? data[0].data.id);
      await events.stop();
    },
  );

  test("takes effect when the connection of the same request at the same moment breaks", async () => {
    const { sendTo, locked } = await openBusyShop();
    const pending = Promise.all([sendTo(), sendTo()]);
    const [pid = 0] = await locked.waiting(2);
    await locked.terminate(pid);
    await locked.waiting(1);
    await locked.release();
    expect((await pending).map(({ status }) => status).sort()).toEqual([201, 503]);
    expect((await sendTo()).headers.get("idempotent-replayed")).toBe("true");
    await expectTwoOrders();
  });

  test("gets its response from a stopping replica, and the same response from another one", async () => {
    const { sendTo, locked } = await openBusyShop();
    const replica = await orders.startReplica();
    const pending = sendTo(replica.url);
    await locked.waiting(1);
    const stopping = replica.stop();
    await until("the replica to refuse what is new", () =>
      fetch(`${replica.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    await locked.release();
    const first = await pending;
    await stopping;
    expect([first.status, first.headers.get("connection")]).toEqual([201, "close"]);
    const again = await sendTo();
    expect([again.headers.get("idempotent-replayed"), again.body]).toEqual(["true", first.body]);
    await expectTwoOrders();
  });

  test("gets the first response when it is repeated because the response was lost", async () => {
    const { sendTo, locked } = await openBusyShop();
    await locked.release();
    const proxy = await startFaultProxy(orders.url);
    proxy.blackhole("responses");
    const lost = sendTo(proxy.url).catch(() => "lost");
    await until("the order", async () => (await countRows(orders, "orders", shop.tenantId)) === 2);
    proxy.reset();
    expect(await lost).toBe("lost");
    const again = await sendTo();
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    await expectTwoOrders();
    await proxy.stop();
  });
});

describe("an idempotency record", () => {
  let orders: TestOrders;
  beforeAll(async () => {
    orders = await startTestOrders();
  });
  afterAll(() => orders.stop());

  const age = ({ tenantId }: TestShop, by: string) =>
    sql`update idempotency_records set created_at = now() - ${by}::interval
         where tenant_id = ${tenantId}`.execute(orders.db);
  const keyedPosts = async (shop: TestShop): Promise<[string, object][]> => {
    const order = { customerId: shop.customerId, items: ONE_LINE };
    const { body } = await shop.client.post("/v1/orders", order);
    await shop.client.post(`/v1/orders/${body.data.id}/payments`, { status: "succeeded" });
    return [
      ["/v1/orders", order],
      ["/v1/orders/bulk", { orders: [order, { ...order, items: [] }] }],
      ["/v1/customers", { name: "Grace" }],
      [`/v1/orders/${body.data.id}/refund`, { amount: 1 }],
    ];
  };

  test.each([
    ["25 hours", "lets its key be used again, for the same or another request", null, 201],
    ["23 hours 59 minutes", "still replays its response, and refuses another request", "true", 422],
  ])("%s old %s", async (by, _what, replayed, otherStatus) => {
    const shop = await orders.openShop();
    for (const [path, body] of await keyedPosts(shop)) {
      const send = (sent: object) => shop.client.post(path, sent, { "idempotency-key": "k" });
      expect((await send(body)).status).toBeLessThan(300);
      await age(shop, by);
      const again = await send(body);
      expect([path, again.status < 300, again.headers.get("idempotent-replayed")]).toEqual([
        path,
        true,
        replayed,
      ]);
      expect((await send(body)).headers.get("idempotent-replayed")).toBe("true");
    }
    const other = await shop.client.post("/v1/customers", { name: "Ada" }, { "idempotency-key": "k" });
    expect(other.status).toBe(otherStatus);
  });

  test("that has expired lets one of 12 requests at the same moment take effect", async () => {
    const shop = await orders.openShop();
    const body = { customerId: shop.customerId, items: ONE_LINE };
    const send = () => shop.client.post("/v1/orders", body, { "idempotency-key": "k" });
    const first = await send();
    await age(shop, "25 hours");
    const responses = await Promise.all(Array.from({ length: 12 }, send));
    const ids = new Set(responses.map((response) => response.body.data.id));
    expect([ids.size, ids.has(first.body.data.id)]).toEqual([1, false]);
    expect(await countRows(orders, "orders", shop.tenantId)).toBe(2);
  });

  test("is deleted by a starting replica if it has expired, and not otherwise", async () => {
    const [old, young] = [await orders.openShop(), await orders.openShop()];
    await young.client.post("/v1/customers", { name: "Ada" }, { "idempotency-key": "k" });
    await age(young, "23 hours 59 minutes");
    await sql`
      insert into idempotency_records (tenant_id, route, key, fingerprint, answer, created_at)
      select ${old.tenantId}, 'POST /v1/orders', number::text, '', '{}', now() - interval '25 hours'
        from generate_series(1, 2500) number`.execute(orders.db);
    const replica = await orders.startReplica();
    await until("the old records to go", async () => {
      return (await countRows(orders, "idempotency_records", old.tenantId)) === 0;
    });
    expect(await countRows(orders, "idempotency_records", young.tenantId)).toBe(1);
    await replica.stop();
  });
});
