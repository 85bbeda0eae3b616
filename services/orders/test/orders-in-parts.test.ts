// Orders that are paid, shipped and refunded in parts (interface §4): the API, the timeline, the change feed, the search, and orders
// that release 1.0.0 fulfilled. lifecycle.test.ts has the decisions.
import { randomUUID } from "node:crypto";
import { eventData } from "@tradepost/event-catalog";
import { type ClientResponse, invalidFields } from "@tradepost/testing";
import { sql } from "kysely";
import { line, readFeed, sharedTestOrders, type TestShop } from "./support/test-orders.ts";

const orders = await sharedTestOrders();
const shop = await orders.openShop();

type Body = Readonly<Record<string, unknown>>;

/** Places an order of 2 mugs at 3 with 0.5 tax and 3 cups at 1: 9.5. */
async function place({ client, order }: TestShop = shop) {
  const items = [
    line({ quantity: 2, unitPrice: 3, taxAmount: 0.5 }),
    line({ name: "Cup", quantity: 3, unitPrice: 1 }),
  ];
  const { data } = (await client.post("/v1/orders", order({ items }))).body;
  const [mug, cup] = data.items.map(({ id }: { id: string }) => id);
  const post = (action: string, body: Body = {}, headers?: Record<string, string>) =>
    client.post(`/v1/orders/${data.id}/${action}`, body, headers);
  const act = async (action: string, body: Body = {}) => {
    const { status, text, body: done } = await post(action, body);
    if (status !== 200) throw new Error(`${action} was refused: ${status} ${text}`);
    return done.data;
  };
  const patch = (shipmentId: string, body: Body, headers?: Record<string, string>) =>
    client.patch(`/v1/orders/${data.id}/shipments/${shipmentId}`, body, headers);
  const read = async (what = "") => (await client.get(`/v1/orders/${data.id}${what}`)).body.data;
  return { id: String(data.id), mug: String(mug), cup: String(cup), post, act, patch, read };
}

const units = (lineId: unknown, quantity: unknown) => ({ lineId, quantity });

const codeOf = ({ status, body }: ClientResponse) => (status === 200 ? 200 : body.error.code);

describe("payments in parts", () => {
  test("add up to what is due, with order.paid once, and are in the list of payments", async () => {
    const fresh = await orders.openShop();
    const { id, post, act, read } = await place(fresh);
    const referenced = { status: "succeeded", amount: 4, reference: "a" };
    const first = await act("payments", referenced);
    expect(first).toMatchObject({ paymentStatus: "partially_paid", paidTotal: 4, amountDue: 5.5 });
    expect(first.allowedActions).toEqual(["payments", "fulfill", "cancel_and_refund", "refund"]);
    for (const amount of [5.51, 0, -1]) {
      expect(invalidFields(await post("payments", { status: "succeeded", amount }))).toBe("amount");
    }
    const failed = await act("payments", { status: "failed" });
    expect(failed).toMatchObject({ paymentStatus: "partially_paid", paidTotal: 4, version: 3 });
    expect(codeOf(await post("cancel"))).toBe("refund_required");
    expect(await act("payments", referenced)).toHaveProperty("version", 3);
    const last = await act("payments", { status: "succeeded" });
    expect(last).toMatchObject({ paymentStatus: "paid", paidTotal: 9.5, amountDue: 0 });
    expect(codeOf(await post("payments", { status: "succeeded" }))).toBe("order_already_paid");
    const payments = await read("/payments");
    expect(payments.map((one: Body) => [one.status, one.amount, one.reference])).toEqual([
      ["succeeded", 5.5, null],
      ["failed", 5.5, null],
      ["succeeded", 4, "a"],
    ]);
    const types = (await fresh.published(3)).map(({ type }) => type);
    expect(types).toEqual(["order.placed", "order.payment_failed", "order.paid"]);
    const feed = await readFeed(fresh, "orders", 4);
    expect(feed).toHaveLength(4);
    expect(feed[1]).toMatchObject({
      type: "order.updated",
      data: { payment: { amount: 4, reference: "a" } },
    });
    for (const { type, data } of feed) expect(eventData[type]?.schema.parse(data)).toEqual(data);
    expect((await fresh.client.get("/v1/orders?paymentStatus=partially_paid,paid")).body.data[0].id).toBe(id);
  });
});

describe("shipments", () => {
  test("keep the order placed until the last unit is shipped, and are delivered one by one", async () => {
    const { id, mug, cup, post, act, read } = await place();
    const part = await act("fulfill", { lines: [units(mug.toUpperCase(), 1)], trackingNumber: "P1" });
    const [first] = part.shipments;
    expect(part).toMatchObject({
      ...{ status: "placed", fulfillment: "part", trackingNumber: "P1", version: 2 },
      items: [
        { fulfilledQuantity: 1, refundedQuantity: 0 },
        { fulfilledQuantity: 0, refundedQuantity: 0 },
      ],
    });
    expect(first).toEqual({
      id: expect.any(String),
      lines: [units(mug, 1)],
      trackingNumber: "P1",
      shippedAt: part.updatedAt,
    });
    expect(await read()).toEqual(part);
    expect(part.allowedActions).toEqual(["payments", "fulfill", "deliver"]);
    expect(codeOf(await post("cancel", { refund: true }))).toBe("invalid_transition");

    const arrived = await act("deliver");
    expect(arrived).toMatchObject({ status: "placed", version: 3 });
    expect(arrived.shipments).toEqual([{ ...first, deliveredAt: arrived.updatedAt }]);
    expect(codeOf(await post("deliver"))).toBe("invalid_transition");

    const second = await act("fulfill", { lines: [units(cup, 3)], carrier: "UPS" });
    expect([second.status, second.trackingNumber, second.carrier]).toEqual(["placed", undefined, "UPS"]);
    const rest = await act("fulfill");
    expect(rest).toMatchObject({ status: "fulfilled", fulfillment: "all" });
    expect(rest.shipments[2].lines).toEqual([units(mug, 1)]);
    expect(codeOf(await post("fulfill"))).toBe("invalid_transition");

    const one = await act("deliver", { shipmentId: rest.shipments[2].id });
    expect([one.status, one.version]).toEqual(["fulfilled", 6]);
    expect(await act("deliver", { shipmentId: rest.shipments[2].id })).toEqual(one);
    expect(invalidFields(await post("deliver", { shipmentId: randomUUID() }))).toBe("shipmentId");
    const delivered = await act("deliver");
    expect([delivered.status, delivered.allowedActions]).toEqual(["delivered", ["payments"]]);
    expect(await read()).toEqual(delivered);
    const timeline = await read("/timeline");
    expect(
      timeline.map((entry: Body) => [entry.part ?? entry.type, entry.shipmentId, entry.trackingNumber]),
    ).toEqual([
      ["order.delivered", undefined, undefined],
      ["delivered", rest.shipments[2].id, undefined],
      ["order.fulfilled", rest.shipments[2].id, undefined],
      ["shipped", second.shipments[1].id, undefined],
      ["delivered", undefined, undefined],
      ["shipped", first.id, "P1"],
      ["order.placed", undefined, undefined],
    ]);
    expect(timeline[0].createdAt).toBe(delivered.shipments[1].deliveredAt);
    expect((await shop.client.get(`/v1/orders?ids=${id}&fulfillment=all`)).body.data).toEqual([delivered]);
  });

  test("are refused with every line at fault", async () => {
    const { mug, cup, post, read } = await place();
    await post("fulfill", { lines: [units(mug, 1)] });
    const before = await read();
    for (const [lines, fields] of [
      [[], "lines"],
      ["x", "lines"],
      [
        [units("x", 0), units(cup, 1.5), { lineId: cup }],
        "lines[0].lineId lines[0].quantity lines[1].quantity lines[2].quantity",
      ],
      [
        [units(randomUUID(), 1), units(mug, 2), units(cup, 1), units(cup, 1)],
        "lines[0].lineId lines[1].quantity lines[3].lineId",
      ],
      [[units(cup, 2_147_483_648)], "lines[0].quantity"],
      [Array(501).fill(units(cup, 1)), "lines"],
    ] as const) {
      expect(invalidFields(await post("fulfill", { lines, carrier: "UPS" }))).toBe(fields);
    }
    expect(await read()).toEqual(before);
  });

  test("change their parcel, which is the order's for the latest, and are all found by it", async () => {
    const { id, mug, act, patch, read } = await place();
    const { shipments } = await act("fulfill", { lines: [units(mug, 1)], trackingNumber: "FIRST1" });
    await act("fulfill", { trackingNumber: "SECOND2", carrier: "DHL" });
    const first = String(shipments[0].id);
    const changed = await patch(first.toUpperCase(), { trackingNumber: "MENDED3", carrier: "UPS" });
    const parcel = { trackingNumber: "MENDED3", carrier: "UPS" };
    expect(changed.body.data.shipments[0]).toEqual({ ...shipments[0], ...parcel });
    expect(changed.body.data).toMatchObject({ trackingNumber: "SECOND2", carrier: "DHL", version: 4 });
    expect((await read("/timeline"))[0]).toMatchObject({
      ...{ type: "order.updated", shipmentId: first, changed: ["trackingNumber", "carrier"] },
      ...parcel,
    });
    expect((await patch(first, { carrier: "UPS" })).body.data).toEqual(changed.body.data);
    const [, latest] = changed.body.data.shipments;
    expect((await patch(latest.id, { carrier: null })).body.data).toMatchObject({
      trackingNumber: "SECOND2",
    });
    expect(await read()).not.toHaveProperty("carrier");
    await shop.client.patch(`/v1/orders/${id}`, { trackingNumber: "OWN4" });
    const now = await read();
    expect(now.shipments.map((one: Body) => one.trackingNumber)).toEqual(["MENDED3", "OWN4"]);
    const found = async (word: string) => (await shop.client.get(`/v1/orders?search=${word}`)).body.data;
    for (const word of ["mended3", "own4"]) expect(await found(word)).toHaveLength(1);
    for (const word of ["first1", "second2"]) expect(await found(word)).toEqual([]);
    for (const [shipmentId, body, expected] of [
      [randomUUID(), { carrier: "x" }, 404],
      ["x", {}, 404],
      [first, { carrier: 5, status: "x" }, 422],
    ] as const)
      expect((await patch(shipmentId, body)).status).toBe(expected);
    expect((await patch(first, { carrier: "x" }, { "if-match": '"1"' })).status).toBe(412);
    expect((await patch(first, { carrier: "x" }, { "if-match": `"${now.version}"` })).status).toBe(200);
    const stranger = await orders.openShop();
    expect((await stranger.client.patch(`/v1/orders/${id}/shipments/${first}`, {})).status).toBe(404);
  });

  test("of the same units at the same moment are made once", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { mug, cup, post, read } = await place();
      const key = { "idempotency-key": randomUUID() };
      const responses = await Promise.all([
        ...[1, 2].map(() => post("fulfill", { lines: [units(cup, 2)] })),
        ...[1, 2].map(() => post("fulfill", { lines: [units(mug, 1)] }, key)),
      ]);
      const statuses = responses.map(({ status }) => status);
      expect([statuses.slice(0, 2).sort(), statuses.slice(2)]).toEqual([
        [200, 422],
        [200, 200],
      ]);
      expect(responses[2]?.body).toEqual(responses[3]?.body);
      const { items, shipments, version } = await read();
      expect(items.map((line: Body) => line.fulfilledQuantity)).toEqual([1, 2]);
      expect([shipments.length, version]).toEqual([2, 3]);
    }
  });

  test("select orders by how much is shipped", async () => {
    const fresh = await orders.openShop();
    const none = await place(fresh);
    const part = await place(fresh);
    const all = await place(fresh);
    const cancelled = await place(fresh);
    await part.post("fulfill", { lines: [units(part.mug, 1)] });
    await all.post("fulfill");
    await cancelled.post("cancel");
    const found = async (fulfillment: string) =>
      (await fresh.client.get(`/v1/orders?fulfillment=${fulfillment}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    expect(await found("none")).toEqual([cancelled.id, none.id]);
    expect(await found("part")).toEqual([part.id]);
    expect(await found("part,all")).toEqual([all.id, part.id]);
    expect((await fresh.client.get("/v1/orders?fulfillment=some")).status).toBe(422);
  });
});

describe("refunds by line", () => {
  test("default to the price and tax of the units, mark them, and are in the list of payments", async () => {
    const { mug, cup, post, act, read } = await place();
    await act("payments", { status: "succeeded" });
    const lines = [units(mug, 1), units(cup, 2)];
    const first = await act("refund", { lines, reference: "r", reason: "broken" });
    // 3 + 0.25 + 2.
    expect(first).toMatchObject({ refundedTotal: 5.25, paymentStatus: "partially_refunded" });
    expect(first.items.map((line: Body) => line.refundedQuantity)).toEqual([1, 2]);
    expect(await act("refund", { lines: lines.toReversed(), reference: "r" })).toEqual(first);
    for (const body of [{ lines: lines.slice(1) }, { amount: 5.25 }, { lines, amount: 1 }])
      expect(codeOf(await post("refund", { ...body, reference: "r" }))).toBe("reference_reused");
    const wrong = await post("refund", { lines: [units(mug, 2), units(mug, 1)], amount: 10 });
    expect(invalidFields(wrong)).toBe("amount lines[0].quantity lines[1].lineId");
    expect(invalidFields(await post("refund", { lines: [] }))).toBe("lines");
    const all = await act("refund");
    expect([all.refundedTotal, all.items.map((line: Body) => line.refundedQuantity)]).toEqual([9.5, [1, 2]]);
    const [whole, part] = await read("/payments");
    expect(part).toMatchObject({ lines, amount: 5.25, reason: "broken" });
    expect([whole.lines, whole.amount]).toEqual([undefined, 4.25]);
    expect((await read("/timeline"))[1].refund.lines).toEqual(lines);
  });
});

describe("cancel and refund", () => {
  test("is one transaction with two events and versions, and a plain cancel with nothing held", async () => {
    const fresh = await orders.openShop();
    const { id, post, read } = await place(fresh);
    await post("payments", { status: "succeeded", amount: 4 });
    const key = { "idempotency-key": randomUUID(), "if-match": '"2"' };
    const done = await post("cancel", { reason: "late", refund: true }, key);
    expect([done.headers.get("etag"), done.body.data]).toMatchObject([
      '"4"',
      { status: "cancelled", paymentStatus: "refunded", refundedTotal: 4, cancelReason: "late", version: 4 },
    ]);
    expect((await post("cancel", { reason: "late", refund: true }, key)).text).toBe(done.text);
    const timeline = await read("/timeline");
    expect(timeline.slice(0, 2).map((entry: Body) => [entry.type, entry.version, entry.status])).toEqual([
      ["order.cancelled", 4, "cancelled"],
      ["order.refunded", 3, "placed"],
    ]);
    const published = await fresh.published(3);
    expect(published.map(({ type }) => type)).toEqual(["order.placed", "order.refunded", "order.cancelled"]);
    for (const { type, data } of published) expect(eventData[type]?.schema.parse(data)).toEqual(data);
    const { rows } = await sql<{ count: number }>`
      select count(distinct xid)::int as count from published_events where aggregate_id = ${id} and type in ('order.refunded', 'order.cancelled')`.execute(
      orders.db,
    );
    expect(rows[0]?.count).toBe(1);
    const unpaid = await (await place(fresh)).act("cancel", { refund: true });
    expect(unpaid).toMatchObject({ version: 2, paymentStatus: "unpaid" });
  });
});

describe("an order that release 1.0.0", () => {
  /** Changes the order's row and its timeline as release 1.0.0 does. */
  const actAsOlder = async (id: string, status: "fulfilled" | "delivered", trackingNumber: string | null) => {
    const eventId = randomUUID();
    await sql`
      with changed as (
        update orders set status = ${status}, tracking_number = ${trackingNumber}, version = version + 1, updated_at = now()
         where id = ${id} returning tenant_id, version, updated_at)
      insert into order_changes (tenant_id, order_id, version, type, status, payment_status, details, event_id, actor, request_id, created_at)
      select tenant_id, ${id}, version, ${`order.${status}`}, ${status}, 'unpaid', '{}', ${eventId},
             '{"type":"user","id":"u","name":"u"}', 'r', updated_at from changed`.execute(orders.db);
    return eventId;
  };

  test("fulfilled and delivered has one shipment with all lines", async () => {
    const { id, mug, cup, post, read } = await place();
    const shipmentId = await actAsOlder(id, "fulfilled", "OLD1");
    const before = await read();
    const lines = [units(mug, 2), units(cup, 3)];
    const shipment = { id: shipmentId, lines, trackingNumber: "OLD1", shippedAt: before.updatedAt };
    expect(before.shipments).toEqual([shipment]);
    expect(before.items.map((line: Body) => line.fulfilledQuantity)).toEqual([2, 3]);
    expect([before.fulfillment, before.allowedActions]).toEqual(["all", ["payments", "deliver"]]);
    await actAsOlder(id, "delivered", "OLD1");
    const { shipments, updatedAt } = await read();
    expect(shipments).toEqual([{ ...shipment, deliveredAt: updatedAt }]);
    await post("payments", { status: "succeeded" });
    expect((await read()).shipments).toEqual(shipments);
    expect((await shop.client.get(`/v1/orders?ids=${id}&fulfillment=all`)).body.data[0].shipments).toEqual(
      shipments,
    );
  });

  test("fulfilled when a part was shipped has the rest in a shipment of its own", async () => {
    const { id, mug, cup, act, read } = await place();
    await act("fulfill", { lines: [units(mug, 2)], trackingNumber: "NEW1" });
    const shipmentId = await actAsOlder(id, "fulfilled", null);
    expect((await read()).shipments).toMatchObject([
      { trackingNumber: "NEW1" },
      { id: shipmentId, lines: [units(cup, 3)] },
    ]);
    const arrived = await act("deliver", { shipmentId });
    expect(arrived).toMatchObject({
      status: "fulfilled",
      shipments: [{ trackingNumber: "NEW1" }, { deliveredAt: arrived.updatedAt }],
    });
    expect(await read()).toEqual(arrived);
    await actAsOlder(id, "delivered", "OLD2");
    const delivered = await read();
    expect(delivered.shipments).toMatchObject([
      { trackingNumber: "NEW1", deliveredAt: delivered.updatedAt },
      { trackingNumber: "OLD2", deliveredAt: arrived.updatedAt },
    ]);
  });

  test("cannot cancel once a part is shipped", async () => {
    const { id, mug, post } = await place();
    await post("fulfill", { lines: [units(mug, 2)] });
    await expect(
      orders.db.updateTable("orders").set({ status: "cancelled" }).where("id", "=", id).execute(),
    ).rejects.toThrow("orders_shipped_is_not_cancelled");
  });
});
