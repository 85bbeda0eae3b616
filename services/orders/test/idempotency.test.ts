// An order's number, its rows and its idempotency record commit together, whatever fails (interface §4). packages/idempotency tests
// the behaviour that all services share, and tests/contract/api-examples repeats every POST.
import { randomUUID } from "node:crypto";
import { type ClientResponse, until } from "@tradepost/testing";
import { sql } from "kysely";
import { ownTestOrders, type TestShop } from "./support/test-orders.ts";

const REQUESTS = 12;

const orders = await ownTestOrders();
await sql`
  insert into idempotency_records (tenant_id, route, key, fingerprint, answer, created_at)
  values (${randomUUID()}, 'POST /v1/orders', 'old', '', '{}', now() - interval '24 hours')`.execute(
  orders.db,
);
const replica = await orders.startReplica();
orders.beforeStop(replica.stop);

const openShop = async () => {
  const shop = await orders.openShop();
  await shop.client.post("/v1/orders", shop.order());
  return shop;
};
const bodyOf = (shop: TestShop, path: string) =>
  path === "/v1/orders" ? shop.order() : { orders: [shop.order()] };
/** Counts the orders, events and records that POSTs have written for a tenant. The creation of its customer is an event too. */
const expectCounts = async (shop: TestShop, ordersCount: number, recordCount = 1) => {
  const tables = ["orders", "events", "idempotency_records"] as const;
  const counts = await Promise.all(tables.map(shop.count));
  expect(counts).toEqual([ordersCount, ordersCount + 1, recordCount]);
};
const isReplayed = ({ headers }: ClientResponse) => headers.get("idempotent-replayed") === "true";

describe(`${REQUESTS} requests with one Idempotency-Key at once on two replicas`, () => {
  const sendAll = (shop: TestShop, path: string, body: object) =>
    Promise.all(
      Array.from({ length: REQUESTS }, (_, index) =>
        shop
          .clientAt(index % 2 === 0 ? orders.url : replica.url)
          .post(path, body, { "idempotency-key": "k" }),
      ),
    );
  const expectOneResponse = (responses: ClientResponse[], status: number) => {
    const seen = responses.map(
      (response) => `${response.status} ${response.headers.get("etag")} ${response.text}`,
    );
    expect([new Set(seen).size, responses[0]?.status]).toEqual([1, status]);
    expect(responses.filter(isReplayed)).toHaveLength(REQUESTS - 1);
  };
  test.each([
    ["with a generated number", undefined],
    ["with a supplied number", "WEB-1"],
  ])("place one order %s, and leave out no number", async (_what, orderNumber) => {
    const shop = await orders.openShop();
    const body = shop.order({ orderNumber });
    expectOneResponse(await sendAll(shop, "/v1/orders", body), 201);
    await expectCounts(shop, 1);
    const next = await shop.client.post("/v1/orders", shop.order());
    expect(next.body.data.orderNumber).toBe(orderNumber === undefined ? "1002" : "1001");
  });

  test("place one order although all their statements are already running", async () => {
    const shop = await openShop();
    const body = shop.order();
    const release = await orders.lockOrderNumbers(shop.tenantId);
    const pending = sendAll(shop, "/v1/orders", body);
    await orders.waiting(REQUESTS);
    await release();
    expectOneResponse(await pending, 201);
    await expectCounts(shop, 2);
    expect((await shop.client.post("/v1/orders", body)).body.data.orderNumber).toBe("1003");
  });

  // The statement that inserts an order looks for a valid record itself.
  test.each(["/v1/orders", "/v1/orders/bulk"])(
    "to %s take effect once more if the record is 24 hours old",
    async (path) => {
      const shop = await orders.openShop();
      const body = bodyOf(shop, path);
      const first = await shop.client.post(path, body, { "idempotency-key": "k" });
      const age = (by: string) =>
        sql`update idempotency_records set created_at = now() - ${by}::interval
           where tenant_id = ${shop.tenantId}`.execute(orders.db);
      await age("23 hours 59 minutes 30 seconds");
      const replayed = await shop.client.post(path, body, { "idempotency-key": "k" });
      expect([isReplayed(replayed), replayed.text]).toEqual([true, first.text]);
      await age("24 hours");
      const responses = await sendAll(shop, path, body);
      expectOneResponse(responses, first.status);
      expect(responses[0]?.text).not.toBe(first.text);
      await expectCounts(shop, 2);
    },
  );
});

describe("a request under an Idempotency-Key", () => {
  /** Opens a shop whose order numbers are locked, and returns a request that waits for them. */
  const openBusyShop = async (path = "/v1/orders") => {
    const shop = await openShop();
    const body = bodyOf(shop, path);
    const sendTo = (url = orders.url) => shop.clientAt(url).post(path, body, { "idempotency-key": "k" });
    return { shop, sendTo, release: await orders.lockOrderNumbers(shop.tenantId) };
  };

  test.each(["/v1/orders", "/v1/orders/bulk"])(
    "to %s gets 503 when its database connection breaks, leaves no record, and succeeds when it is repeated",
    async (path) => {
      const { shop, sendTo, release } = await openBusyShop(path);
      const pending = sendTo();
      for (const pid of await orders.waiting(1))
        await sql`select pg_terminate_backend(${pid})`.execute(orders.db);
      const { status, body, headers } = await pending;
      expect([status, body.error.code]).toEqual([503, "service_unavailable"]);
      expect(headers.get("retry-after")).toMatch(/^\d+$/);
      await release();
      await expectCounts(shop, 1, 0);
      const retried = await sendTo();
      expect([retried.status < 300, isReplayed(retried)]).toEqual([true, false]);
      expect(isReplayed(await sendTo())).toBe(true);
      await expectCounts(shop, 2, 1);
    },
  );

  test("gets its response from a stopping replica, and the same response from another one", async () => {
    const { shop, sendTo, release } = await openBusyShop();
    const pending = sendTo(replica.url);
    await orders.waiting(1);
    const stopping = replica.stop();
    await until("the replica to refuse what is new", () =>
      fetch(`${replica.url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    await release();
    const first = await pending;
    await stopping;
    expect([first.status, first.headers.get("connection")]).toEqual([201, "close"]);
    const again = await sendTo();
    expect([isReplayed(again), again.text]).toEqual([true, first.text]);
    await expectCounts(shop, 2, 1);
  });
});

test("a service that starts deletes the records that have expired", async () => {
  await until("the old record to go", async () => {
    const { rows } = await sql`select from idempotency_records where key = 'old'`.execute(orders.db);
    return rows.length === 0;
  });
});
