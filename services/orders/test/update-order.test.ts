import { invalidFields } from "@tradepost/testing";
import { placeOrder, STEPS_TO, takeSteps } from "./support/lifecycle-steps.ts";
import { readFeed, sharedTestOrders } from "./support/test-orders.ts";

const MERGE_PATCH = { "content-type": "application/merge-patch+json" };
const ADDRESS = { line1: "1 Harbour Street", city: "Lisbon", floor: 3 };

const orders = await sharedTestOrders();
const shop = await orders.openShop();

describe("a PATCH of an order", () => {
  const orderIn = async (state: string) => {
    const id = await placeOrder(shop, STEPS_TO[state]);
    return (await shop.client.get(`/v1/orders/${id}`)).body.data;
  };
  const patch = (id: string, body: unknown, headers?: Record<string, string>) =>
    shop.client.patch(`/v1/orders/${id}`, body, headers);
  const read = async (id: string) => (await shop.client.get(`/v1/orders/${id}`)).body.data;
  const timelineOf = async (id: string) => (await shop.client.get(`/v1/orders/${id}/timeline`)).body.data;

  test("moves updatedAt on, also if the database's clock was set back", async () => {
    const { id } = await orderIn("placed");
    const ahead = new Date(Date.now() + 3_600_000);
    await orders.db.updateTable("orders").set({ updated_at: ahead }).where("id", "=", id).execute();
    const { data: noted } = (await patch(id, { customerNote: "ring twice" })).body;
    expect(Date.parse(noted.updatedAt)).toBeGreaterThan(ahead.getTime());
    await takeSteps(shop.client, id, ["succeeded"]);
    expect((await read(id)).updatedAt > noted.updatedAt).toBe(true);
  });

  test("changes notes, metadata and addresses of a placed order, and nothing else", async () => {
    const before = await orderIn("placed paid");
    const change = {
      customerNote: "ring twice",
      internalNote: "call before",
      metadata: { erp: { id: 7 } },
      shippingAddress: ADDRESS,
      billingAddress: { ...ADDRESS, line1: "2 Hill" },
    };
    const { status, headers, body } = await patch(before.id, change);
    expect([status, headers.get("etag")]).toEqual([200, '"3"']);
    const data = { ...before, ...change, version: 3, updatedAt: expect.any(String) };
    expect(body).toEqual({ success: true, data });
    expect(body.data.updatedAt >= before.updatedAt).toBe(true);
    expect(await read(before.id)).toEqual(body.data);
    const [entry] = await timelineOf(before.id);
    expect(entry).toEqual({
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: "order.updated",
      createdAt: body.data.updatedAt,
      version: 3,
      status: "placed",
      paymentStatus: "paid",
      actor: expect.objectContaining({ type: expect.any(String) }),
      requestId: headers.get("x-request-id"),
      changed: ["customerNote", "internalNote", "metadata", "shippingAddress", "billingAddress"],
    });
  });

  test("takes a JSON merge patch, as no other method does, and tells nobody to keep the response", async () => {
    const { id } = await orderIn("placed");
    const patched = await patch(id, { customerNote: "ring twice" }, MERGE_PATCH);
    expect([patched.status, patched.body.data.customerNote]).toEqual([200, "ring twice"]);
    const posted = await shop.client.post(`/v1/orders/${id}/cancel`, {}, MERGE_PATCH);
    expect([posted.status, posted.body.error.code]).toEqual([415, "unsupported_media_type"]);
    const caching = ({ headers }: typeof patched) =>
      ["x-content-type-options", "cache-control"].map((name) => headers.get(name));
    expect(caching(patched)).toEqual(["nosniff", "private, no-cache"]);
    expect(caching(posted)).toEqual(["nosniff", "no-store"]);
    const etag = { "if-none-match": patched.headers.get("etag") ?? "" };
    const unchanged = await shop.client.get(`/v1/orders/${id}`, etag);
    expect([unchanged.status, ...caching(unchanged)]).toEqual([304, "nosniff", "private, no-cache"]);
  });

  test("merges objects of a JSON merge patch, and validates the result", async () => {
    const merge = (id: string, body: object | string) =>
      shop.client.send("PATCH", `/v1/orders/${id}`, {
        headers: { "content-type": "application/merge-patch+json; charset=utf-8" },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
    const { id } = await orderIn("placed unpaid");
    await patch(id, { metadata: { erp: "A-1", tag: "x", nested: { a: 1, b: 2 } }, shippingAddress: ADDRESS });
    const merged = await merge(id, '{"metadata":{"tag":null,"nested":{"b":null,"c":2.50}}}');
    expect(merged.body.data.metadata).toEqual({ erp: "A-1", nested: { a: 1, c: 2.5 } });
    expect(merged.text).toContain('{"erp":"A-1","nested":{"a":1,"c":2.50}}');
    const moved = await merge(id, { shippingAddress: { city: "Porto", line2: null } });
    expect(moved.body.data.shippingAddress).toEqual({ ...ADDRESS, city: "Porto" });
    const same = await merge(id, { metadata: { none: null }, shippingAddress: { city: "Porto" } });
    expect(same.body.data.version).toBe(moved.body.data.version);
    const refused = await merge(id, { shippingAddress: { city: null, line1: 1 }, customerNote: 5 });
    expect(invalidFields(refused)).toBe("customerNote shippingAddress.city shippingAddress.line1");
    expect((await merge(id, { metadata: null })).body.data).not.toHaveProperty("metadata");
  });

  test("loses no member to a merge patch at the same moment", async () => {
    const { id } = await orderIn("placed unpaid");
    const names = ["a", "b", "c", "d", "e", "f"];
    await Promise.all(names.map((name) => patch(id, { metadata: { [name]: 1 } }, MERGE_PATCH)));
    const { body } = await shop.client.get(`/v1/orders/${id}`);
    expect(Object.keys(body.data.metadata).sort()).toEqual(names);
  });

  test("clears what is null, and keeps what it does not name", async () => {
    const { id } = await orderIn("placed unpaid");
    const set = { customerNote: "a", internalNote: "b", metadata: { a: 1 }, shippingAddress: ADDRESS };
    await patch(id, set);
    const cleared = ["customerNote", "metadata", "shippingAddress", "billingAddress"];
    const { body } = await patch(id, Object.fromEntries(cleared.map((name) => [name, null])));
    expect(body.data).toMatchObject({ internalNote: "b", version: 3 });
    for (const name of cleared) expect(body.data).not.toHaveProperty(name);
    expect((await timelineOf(id))[0].changed).toEqual(["customerNote", "metadata", "shippingAddress"]);
    const empty = { metadata: {}, customerNote: "" };
    expect((await patch(id, empty)).body.data).toMatchObject(empty);
  });

  test.each(["fulfilled unpaid", "delivered paid"])(
    "corrects the tracking of an order that is %s",
    async (state) => {
      const before = await orderIn(state);
      const parcel = { trackingNumber: "1Z999", carrier: "UPS" };
      expect((await patch(before.id, parcel)).body.data).toMatchObject({ ...parcel, status: before.status });
      expect((await timelineOf(before.id))[0]).toMatchObject({ type: "order.updated", ...parcel });
      const { body } = await patch(before.id, { carrier: null });
      expect(body.data.trackingNumber).toBe("1Z999");
      expect(body.data).not.toHaveProperty("carrier");
      expect((await patch(before.id, { internalNote: "late" })).status).toBe(200);
    },
  );

  test.each([
    ["placed unpaid", { trackingNumber: "1Z" }],
    ["placed paid", { carrier: null, customerNote: "x" }],
    ["cancelled unpaid", { carrier: "UPS" }],
    ["cancelled unpaid", { shippingAddress: ADDRESS }],
    ["fulfilled unpaid", { shippingAddress: ADDRESS, trackingNumber: "1Z" }],
    ["delivered paid", { billingAddress: null }],
  ])(
    "is 409 invalid_transition with the state for an order that is %s and %j, and changes nothing",
    async (state, change) => {
      const before = await orderIn(state);
      const { status, body } = await patch(before.id, change);
      expect([status, body.error.code]).toEqual([409, "invalid_transition"]);
      const { status: goods, paymentStatus, allowedActions } = before;
      expect(body.error.state).toEqual({ status: goods, paymentStatus, allowedActions });
      expect(await read(before.id)).toEqual(before);
    },
  );

  test.each([
    [{ status: "fulfilled" }, "status"],
    [{ externalId: "x", items: [], orderNumber: "1" }, "externalId items orderNumber"],
    [
      { shippingAddress: { line1: "a" }, metadata: [], trackingNumber: " " },
      "metadata shippingAddress.city trackingNumber",
    ],
    [{ customerNote: "x".repeat(5_001), internalNote: 1 }, "customerNote internalNote"],
  ])("refuses %j with 422 and lists every field at fault", async (change, fields) => {
    const { id } = await orderIn("placed unpaid");
    expect(invalidFields(await patch(id, change))).toBe(fields);
  });

  test("that changes nothing leaves version, time and timeline as they are", async () => {
    const { id } = await orderIn("placed unpaid");
    await patch(id, { metadata: { a: [1, { b: 2 }] }, customerNote: "a" });
    const before = await read(id);
    const same = { metadata: { a: [1, { b: 2 }] }, internalNote: null };
    for (const change of [{}, { customerNote: "a" }, same]) {
      const { status, body, headers } = await patch(id, change);
      expect([status, body.data, headers.get("etag")]).toEqual([200, before, '"2"']);
    }
    expect(await read(id)).toEqual(before);
    expect(await timelineOf(id)).toHaveLength(2);
  });

  test("at the same moment as others and as an action loses none of them", async () => {
    const { id } = await orderIn("placed unpaid");
    const responses = await Promise.all([
      patch(id, { customerNote: "a" }),
      shop.client.post(`/v1/orders/${id}/payments`, { status: "succeeded" }),
      patch(id, { internalNote: "b" }),
      patch(id, { metadata: { c: 1 } }),
      shop.client.post(`/v1/orders/${id}/fulfill`, { trackingNumber: "1Z" }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await read(id)).toMatchObject({
      customerNote: "a",
      internalNote: "b",
      metadata: { c: 1 },
      version: 6,
      paymentStatus: "paid",
      status: "fulfilled",
      trackingNumber: "1Z",
    });
    const versions = (await timelineOf(id)).map(({ version }: { version: number }) => version);
    expect(versions).toEqual([6, 5, 4, 3, 2, 1]);
  });

  test("is in the change feed, in its place, without the internal note, and on no exchange", async () => {
    const fresh = await orders.openShop();
    const id = await placeOrder(fresh);
    const change = { customerNote: "a", internalNote: "b", metadata: { exact: 1 }, shippingAddress: ADDRESS };
    const { body, headers } = await fresh.client.patch(`/v1/orders/${id}`, change);
    await fresh.client.patch(`/v1/orders/${id}`, change);
    await fresh.client.patch(`/v1/orders/${id}`, { internalNote: "secret" });
    await takeSteps(fresh.client, id, ["succeeded"]);
    const published = await fresh.published(2);
    expect(published.map(({ type }) => type)).toEqual(["order.placed", "order.paid"]);
    expect(published.at(-1)?.data.order).toMatchObject({ customerNote: "a", version: 4 });

    const feed = await readFeed(fresh, "orders", 4);
    const types = feed.map(({ type, data }) => `${type} ${data.order.version}`);
    expect(types).toEqual(["order.placed 1", "order.updated 2", "order.updated 3", "order.paid 4"]);
    expect(JSON.stringify(feed)).not.toContain("secret");
    const [, updated, noted] = feed;
    const { internalNote: _, ...shown } = body.data;
    const entry = (await fresh.client.get(`/v1/orders/${id}/timeline`)).body.data[2];
    const requestId = headers.get("x-request-id");
    expect(updated).toMatchObject({ id: entry.eventId, occurredAt: shown.updatedAt, requestId });
    expect(updated.data).toEqual({ order: shown });
    const updates = await fresh.client.get("/v1/orders/events?types=order.updated");
    expect(updates.body.data).toEqual([updated, noted]);
  });
});
