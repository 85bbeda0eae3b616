// Each transition of an order publishes one event when it commits. The timeline has the same content, page by page.
import { randomUUID } from "node:crypto";
import { eventData } from "@tradepost/event-catalog";
import { type ClientResponse, readPages, signedClient, until } from "@tradepost/testing";
import { sql } from "kysely";
import { placeOrder, type Step, takeStep, takeSteps } from "./support/lifecycle-steps.ts";
import { ownTestOrders } from "./support/test-orders.ts";

const DIGITS = '{"big":12345678901234567890123,"fraction":0.12345678901234567890}';
/** Actions through all states of an order, some of them refused: each with its body and its status. */
const WALK: [string, object, number][] = [
  ["refund", {}, 409],
  ["payments", { status: "failed", amount: 3, reference: "ch_0" }, 200],
  ["payments", { status: "succeeded", amount: 11 }, 422],
  ["payments", { status: "succeeded", reference: "ch_1" }, 200],
  ["payments", { status: "failed" }, 409],
  ["cancel", {}, 409],
  ["refund", { amount: 4, reason: "one mug was broken" }, 200],
  ["fulfill", { trackingNumber: "1Z999", carrier: "UPS" }, 200],
  ["fulfill", {}, 409],
  ["deliver", {}, 200],
  ["refund", { amount: 7 }, 422],
  ["refund", {}, 200],
  ["refund", {}, 409],
];

const orders = await ownTestOrders();
const shop = await orders.openShop();
const timelineOf = async (id: string, query = "") =>
  (await shop.client.get(`/v1/orders/${id}/timeline${query}`)).body;

describe("the events of an order", () => {
  /** Returns all events of an order once everything written is published. An order placed afterwards marks the end. */
  const eventsOf = async (id: string) => {
    await until("an empty outbox", async () => (await shop.count("outbox")) === 0);
    const lastId = await placeOrder(shop);
    const texts = () => orders.messages.map(({ content }) => content.toString());
    await until("the event of the last order", () => texts().some((text) => text.includes(lastId)));
    return texts()
      .map((text) => ({ text, ...JSON.parse(text) }))
      .filter(({ data }) => data.order.id === id);
  };

  test("are one for each commit, in the order of its versions, and none for a refusal; its timeline has the same content", async () => {
    const body = JSON.stringify(
      shop.order({ internalNote: "secret", customerNote: "ring twice", metadata: 0 }),
    );
    const placed = await shop.place(body.replace('"metadata":0', `"metadata":${DIGITS}`));
    const { id } = placed.body.data;
    const responses: ClientResponse[] = [placed];
    for (const [action, body, expected] of WALK) {
      const actor = { type: "api_key", id: randomUUID(), name: `Key for ${action}` } as const;
      const client = signedClient(orders.url, orders.secret, { tenantId: shop.tenantId, actor });
      const response = await client.post(`/v1/orders/${id}/${action}`, body);
      expect([action, response.status]).toEqual([action, expected]);
      if (response.status === 200) responses.push(response);
    }
    const events = await eventsOf(id);
    const payment = (rest: object) => ({ payment: { id: expect.any(String), ...rest } });
    const refund = (rest: object) => ({ refund: { id: expect.any(String), ...rest } });
    const expected = [
      ["order.placed", {}],
      ["order.payment_failed", payment({ status: "failed", amount: 3, reference: "ch_0" })],
      ["order.paid", payment({ status: "succeeded", amount: 10, reference: "ch_1" })],
      ["order.refunded", refund({ amount: 4, reason: "one mug was broken" })],
      ["order.fulfilled", {}],
      ["order.delivered", {}],
      ["order.refunded", refund({ amount: 6 })],
    ] as const;
    const shown = responses.map(({ body }) => ({ ...body.data, internalNote: undefined }));
    expect(events.map(({ type, data }) => [type, data])).toEqual(
      expected.map(([type, more], index) => [type, { order: shown[index], ...more }]),
    );
    for (const { type, data, text } of events) {
      expect(eventData[type]?.schema.parse(data)).toEqual(data);
      expect(text).not.toContain("secret");
      expect(text).toContain(DIGITS);
    }
    for (const { text } of responses) expect(text).toContain(DIGITS);
    expect(
      new Set(events.flatMap(({ id, data }) => [id, data.payment?.id ?? data.refund?.id ?? id])).size,
    ).toBe(events.length + 4);

    const parcel = { trackingNumber: "1Z999", carrier: "UPS" };
    const { data: timeline, page } = await timelineOf(id);
    expect(page).toEqual({ nextCursor: null });
    expect(timeline).toEqual(
      events
        .map(({ id: eventId, type, request_id: requestId, actor, data: { order, ...extra } }, index) => ({
          eventId,
          type,
          version: index + 1,
          actor,
          requestId,
          status: order.status,
          paymentStatus: order.paymentStatus,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          ...extra,
          ...(type === "order.fulfilled" && { ...parcel, shipmentId: order.shipments[0].id }),
        }))
        .reverse(),
    );
    const requests = responses.map(({ headers }) => headers.get("x-request-id"));
    expect(events.map(({ request_id }) => request_id)).toEqual(requests);
    expect(events.slice(1).map(({ actor }) => actor.name)).toEqual(
      ["payments", "payments", "refund", "fulfill", "deliver", "refund"].map((action) => `Key for ${action}`),
    );
    const times = timeline.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(times.at(-1)).toBe(responses[0]?.body.data.createdAt);
  });

  test("contain the reason of a cancellation, as the timeline does", async () => {
    const id = await placeOrder(shop);
    await shop.client.post(`/v1/orders/${id}/cancel`, { reason: "out of stock" });
    const events = await eventsOf(id);
    expect(events.map(({ type }) => type)).toEqual(["order.placed", "order.cancelled"]);
    expect(eventData["order.cancelled"]?.schema.parse(events[1]?.data)).toEqual(events[1]?.data);
    for (const order of [events[1]?.data.order, (await shop.client.get(`/v1/orders/${id}`)).body.data])
      expect(order).toMatchObject({ status: "cancelled", cancelReason: "out of stock" });
    const entry = { eventId: events[1]?.id, type: "order.cancelled", reason: "out of stock" };
    expect((await timelineOf(id)).data[0]).toMatchObject(entry);
  });

  test("are in the order of its versions when many actions on many orders run at once", async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => placeOrder(shop)));
    const responses = await Promise.all(
      ids.flatMap((id) =>
        [...Array(6).fill("failed"), "fulfill", "deliver", "succeeded"].map((step) =>
          takeStep(shop.client, id, step),
        ),
      ),
    );
    for (const id of ids) {
      const accepted = responses
        .filter(({ status, body }) => status === 200 && body.data.id === id)
        .map(({ body }) => body.data)
        .sort((a, b) => a.version - b.version);
      const [placed, ...events] = await eventsOf(id);
      expect([placed?.type, placed?.data.order.version]).toEqual(["order.placed", 1]);
      expect(events.map(({ data }) => data.order)).toEqual(accepted);
    }
  });
});

describe("the timeline of an order", () => {
  test("shows each entry once on its pages, newest first, while new ones are added", async () => {
    const id = await placeOrder(shop, ["failed", "failed", "failed", "succeeded", "fulfill"]);
    const whole = (await timelineOf(id)).data;
    expect(whole.map(({ version }: { version: number }) => version)).toEqual([6, 5, 4, 3, 2, 1]);
    const steps: Step[] = ["refund 4", "refund 4", "deliver"];
    const takeNext = () => takeSteps(shop.client, id, steps.splice(0, 1));
    const pages = await readPages(shop.client, `/v1/orders/${id}/timeline?limit=2`, takeNext);
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(pages.flat()).toEqual(whole);
    expect((await timelineOf(id, "?limit=100")).data).toHaveLength(9);
  });

  test("is in the order of the versions even if all were made in the same millisecond", async () => {
    const id = await placeOrder(shop, ["failed", "succeeded", "refund 4", "fulfill", "deliver"]);
    const { created_at } = await orders.db
      .selectFrom("orders")
      .select("created_at")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    // Gives two entries the same time. Requests are never that close.
    await sql`update order_changes set created_at = ${created_at} where order_id = ${id}`.execute(orders.db);
    const first = await timelineOf(id, "?limit=4");
    const rest = await timelineOf(id, `?limit=4&cursor=${first.page.nextCursor}`);
    const versions = [...first.data, ...rest.data].map(({ version }) => version);
    expect(versions).toEqual([6, 5, 4, 3, 2, 1]);
  });
});
