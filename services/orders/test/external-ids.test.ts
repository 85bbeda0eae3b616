// A channel's own id of an order is unique in its tenant and channel, even if it is sent twice at the same moment. Also: numbers
// that are taken.

import { randomUUID } from "node:crypto";
import type { ClientResponse } from "@tradepost/testing";
import { sql } from "kysely";
import { ownTestOrders } from "./support/test-orders.ts";

const TWINS = 8;

const orders = await ownTestOrders({ replicas: 2 });
const shop = await orders.openShop();

describe("the externalId of an order", () => {
  const { order } = shop;
  const place = (fields?: object, headers?: Record<string, string>) =>
    shop.client.post("/v1/orders", order(fields), headers);
  const importOrders = async (list: unknown[], client = shop.client) => {
    const { status, body } = await client.post("/v1/orders/bulk", { orders: list });
    expect(status).toBe(200);
    return body.data as {
      success: boolean;
      data?: { id: string };
      error?: { code: string; orderId: string };
    }[];
  };
  const errorOf = ({ status, body }: ClientResponse) => [status, body.error?.code, body.error?.orderId];

  test("is shown, in the response and by id, and left out where none was supplied", async () => {
    const { status, body } = await place({ externalId: "shopify/5012" });
    expect([status, body.data.externalId]).toEqual([201, "shopify/5012"]);
    expect((await shop.client.get(`/v1/orders/${body.data.id}`)).body.data.externalId).toBe("shopify/5012");
    expect((await place({})).body.data).not.toHaveProperty("externalId");
  });

  test("is 409 order_exists with the first order's id, and takes no number", async () => {
    const first = await place({ externalId: "once" });
    const again = await place({ externalId: "once", customerNote: "another body" });
    expect(errorOf(again)).toEqual([409, "order_exists", first.body.data.id]);
    const next = await place({});
    expect(Number(next.body.data.orderNumber)).toBe(Number(first.body.data.orderNumber) + 1);
  });

  test("is 409 order_exists also if the orderNumber is taken, and 404 for an unknown customer", async () => {
    const first = await place({ externalId: "both", orderNumber: "both" });
    const again = await place({ externalId: "both", orderNumber: "both" });
    expect(errorOf(again)).toEqual([409, "order_exists", first.body.data.id]);
    for (const externalId of ["nobody", "both"]) {
      const unknown = { externalId, customerId: randomUUID() };
      expect(errorOf(await place(unknown))).toEqual([404, "not_found", undefined]);
      const [imported] = await importOrders([order(unknown)]);
      expect(imported?.error?.code).toBe("not_found");
    }
  });

  test("may be used once in each channel and in each tenant", async () => {
    const stranger = await orders.openShop();
    const responses = [
      await place({ externalId: "shared", channel: "storefront" }),
      await place({ externalId: "shared", channel: "b2b_portal" }),
      await place({ externalId: "shared" }),
      await stranger.client.post("/v1/orders", stranger.order({ externalId: "shared" })),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  });

  test("makes one order of twins at the same moment, and all others get its id; no number is lost", async () => {
    const fresh = await orders.openShop();
    for (let round = 0; round < 5; round += 1) {
      const body = fresh.order({ externalId: `twin-${round}` });
      const responses = await Promise.all(
        Array.from({ length: TWINS }, (_, index) =>
          fresh.clientAt(orders.urls[index % 2] ?? "").post("/v1/orders", body),
        ),
      );
      const placed = responses.filter(({ status }) => status === 201);
      expect(placed).toHaveLength(1);
      const id = placed[0]?.body.data.id;
      const refused = responses.filter(({ status }) => status !== 201).map(errorOf);
      expect(refused).toEqual(Array(TWINS - 1).fill([409, "order_exists", id]));
      expect(placed[0]?.body.data.orderNumber).toBe(String(1001 + round));
    }
    expect(await fresh.count("orders")).toBe(5);
    expect(await fresh.published(5)).toHaveLength(5);
  });

  test("makes one order of twins with one Idempotency-Key, and both get it", async () => {
    const key = { "idempotency-key": randomUUID() };
    const body = order({ externalId: "twins-with-key" });
    const responses = await Promise.all(
      orders.urls.map((url) => shop.clientAt(url).post("/v1/orders", body, key)),
    );
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect(responses[1]?.body).toEqual(responses[0]?.body);
  });

  test("outlives the Idempotency-Key: a day later the same request is 409 with the order's id", async () => {
    const key = { "idempotency-key": randomUUID() };
    const first = await place({ externalId: "yesterday" }, key);
    const replayed = await place({ externalId: "yesterday" }, key);
    expect([replayed.status, replayed.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    await sql`update idempotency_records set created_at = now() - interval '24 hours 1 second'
               where key = ${key["idempotency-key"]}`.execute(orders.db);
    const later = await place({ externalId: "yesterday" }, key);
    expect(errorOf(later)).toEqual([409, "order_exists", first.body.data.id]);
  });

  test("is unique within an import, and against orders that exist", async () => {
    const first = await place({ externalId: "known" });
    const results = await importOrders([
      order({ externalId: "new" }),
      order({ externalId: "known" }),
      order({ externalId: "new" }),
      order({ externalId: "new", channel: "import" }),
    ]);
    const outcomes = results.map(({ success, error }) => success || error?.code);
    expect(outcomes).toEqual([true, "order_exists", "order_exists", true]);
    expect(results[1]?.error?.orderId).toBe(first.body.data.id);
    expect(results[2]?.error?.orderId).toBe(results[0]?.data?.id);
  });

  test("is decided again in an import if an order gets it meanwhile, whatever an earlier order waits for", async () => {
    const { id } = (await place({ orderNumber: "earlier" })).body.data;
    const other = await orders.connect();
    await other.query("begin");
    await other.query("update orders set external_id = 'meanwhile' where id = $1", [id]);
    const importing = importOrders([order({ orderNumber: "earlier" }), order({ externalId: "meanwhile" })]);
    await orders.waiting(1);
    await other.query("commit");
    const outcomes = (await importing).map(({ error }) => [error?.code, error?.orderId]);
    expect(outcomes).toEqual([
      ["order_number_taken", id],
      ["order_exists", id],
    ]);
  });

  test("makes one order of each in imports and single requests at the same moment", async () => {
    const fresh = await orders.openShop();
    const externalIds = Array.from({ length: 20 }, (_, index) => `race-${index}`);
    const list = externalIds.map((externalId) => fresh.order({ externalId }));
    const supplied = externalIds
      .toReversed()
      .map((externalId) => fresh.order({ externalId, orderNumber: externalId }));
    const [imports, singles] = await Promise.all([
      Promise.all(orders.urls.map((url) => importOrders(list, fresh.clientAt(url)))),
      Promise.all(supplied.map((body) => fresh.client.post("/v1/orders", body))),
    ]);
    const idOf = new Map<string, Set<string>>(externalIds.map((externalId) => [externalId, new Set()]));
    let placed = 0;
    for (const results of imports) {
      results.forEach(({ success, data, error }, index) => {
        placed += success ? 1 : 0;
        idOf.get(`race-${index}`)?.add(data?.id ?? error?.orderId ?? "");
      });
    }
    singles.forEach(({ status, body }, index) => {
      placed += status === 201 ? 1 : 0;
      idOf.get(`race-${19 - index}`)?.add(body.data?.id ?? body.error?.orderId);
    });
    expect(placed).toBe(externalIds.length);
    expect([...idOf.values()].map(({ size }) => size)).toEqual(externalIds.map(() => 1));
    expect(await fresh.count("orders")).toBe(externalIds.length);
  });

  test("a taken orderNumber is 409 order_number_taken with the id of the order that has it", async () => {
    const first = await place({ orderNumber: "WEB-9" });
    const taken = (id: string) => [409, "order_number_taken", id];
    expect(errorOf(await place({ orderNumber: "WEB-9" }))).toEqual(taken(first.body.data.id));
    const { orderNumber, id } = (await place()).body.data;
    expect(errorOf(await place({ orderNumber }))).toEqual(taken(id));
    const [result] = await importOrders([order({ orderNumber })]);
    expect([result?.error?.code, result?.error?.orderId]).toEqual(["order_number_taken", id]);
    const twins = await Promise.all([1, 2, 3].map(() => place({ orderNumber: "WEB-10" })));
    const winner = twins.find(({ status }) => status === 201)?.body.data.id;
    const losers = twins.filter(({ status }) => status !== 201);
    expect(losers.map(errorOf)).toEqual([taken(winner), taken(winner)]);
  });
});
