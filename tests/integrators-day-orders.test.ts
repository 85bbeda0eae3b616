// A day of an integrator with orders and customers: everything that a storefront, an ERP and a shop assistant need, with an
// API key through the gateway.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { apiClient, bearer, until } from "@tradepost/testing";
import { expectFailure } from "./support/expect-failure.ts";
import { allPages, dataOf, sendJson, TIME, UUID_V7 } from "./support/integrator.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

type Json = Record<string, unknown>;
type Order = { id: string; version: number };
const MUG = { sku: "MUG", name: "Mug", quantity: 3, unitPrice: 19.99 };
/** Its total has more decimals than the currency. */
const HALF_CENTS = { items: [{ sku: "A", name: "Apple", quantity: 1, unitPrice: 15.529 }] };

describe("an integrator's day with orders", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
  });
  afterAll(() => platform.stop());

  const place = async (fields: Json = {}, headers: Record<string, string> = {}) =>
    dataOf(
      await tenant.key.post(
        "/v1/orders",
        { customerId: tenant.customerId, items: [MUG], ...fields },
        headers,
      ),
      201,
    );
  const act = (order: { id: string }, action: string, body?: Json) =>
    tenant.key.post(`/v1/orders/${order.id}/${action}`, body);
  const acted = async (order: { id: string }, action: string, body?: Json) =>
    dataOf(await act(order, action, body), 200);
  const patch = (path: string, body: Json, headers: Record<string, string> = {}) =>
    sendJson(tenant.key, "PATCH", path, body, headers);
  const idsOf = async (query: string) =>
    (await allPages(tenant.key, `/v1/orders?${query}`)).map(({ id }) => id);
  /** The events of an order, once there are `count`: a transaction that other tests hold open hides later events. */
  const eventsOf = (orderId: string, count: number) =>
    until(`${count} events of the order`, async () => {
      const { body } = await tenant.key.get("/v1/orders/events?limit=100");
      const events = body.data.filter(
        ({ data }: { data: { order: { id: string } } }) => data.order.id === orderId,
      );
      return events.length >= count && events;
    });

  describe("the change feed", () => {
    test("has every order that was placed while it was read, once and in the order of its changes", async () => {
      const shop = await platform.createTenant();
      const order = { customerId: shop.customerId, items: [MUG], internalNote: "not for others" };
      let cursor = (await shop.key.get("/v1/orders/events?after=now")).body.page.nextCursor;
      const placed = new Map<string, string>();
      const worker = async (name: string) => {
        for (let index = 0; index < 8; index++) {
          const requestId = `${name}-${index}`;
          const { id } = dataOf(await shop.key.post("/v1/orders", order, { "x-request-id": requestId }), 201);
          placed.set(id, requestId);
          dataOf(await shop.key.post(`/v1/orders/${id}/payments`, { status: "succeeded" }), 200);
        }
      };
      const bulk = async (name: string) => {
        const orders = Array.from({ length: 15 }, () => order);
        const results = dataOf(
          await shop.key.post("/v1/orders/bulk", { orders }, { "x-request-id": name }),
          200,
        );
        for (const { data } of results) placed.set(data.id, name);
      };
      const EVENTS = 4 * 8 * 2 + 30;
      let isLoaded = false;
      const load = Promise.all([...["a", "b", "c", "d"].map(worker), ...["bulk-1", "bulk-2"].map(bulk)]).then(
        () => {
          isLoaded = true;
        },
      );
      const seen: { id: string; type: string; requestId: string; data: { order: Order } }[] = [];
      for (let isEnd = false; !isEnd; ) {
        const wasLoaded = isLoaded;
        const page = await shop.key.get(
          `/v1/orders/events?after=${encodeURIComponent(cursor)}&limit=20&waitSeconds=1`,
        );
        seen.push(...dataOf(page, 200));
        expect(page.body.page).toEqual({
          nextCursor: expect.stringMatching(/./),
          hasMore: expect.any(Boolean),
        });
        cursor = page.body.page.nextCursor;
        isEnd = wasLoaded && page.body.data.length === 0 && seen.length >= EVENTS;
      }
      await load;
      const firsts = seen.filter(({ type }) => type === "order.placed");
      expect(new Map(firsts.map(({ data, requestId }) => [data.order.id, requestId] as const))).toEqual(
        placed,
      );
      expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
      expect(seen).toHaveLength(EVENTS);
      for (const id of placed.keys()) {
        const versions = seen
          .filter(({ data }) => data.order.id === id)
          .map(({ data }) => data.order.version);
        expect(versions).toEqual(versions.toSorted((a, b) => a - b));
      }
      expect(seen[0]).toEqual({
        id: expect.stringMatching(UUID_V7),
        type: expect.stringMatching(/^order\./),
        occurredAt: expect.stringMatching(TIME),
        requestId: expect.any(String),
        actor: { type: "api_key", id: expect.stringMatching(UUID_V7), name: "Test key" },
        data: expect.any(Object),
      });
      expect(JSON.stringify(seen)).not.toContain("not for others");
      const paid = await shop.key.get("/v1/orders/events?types=order.paid&limit=100");
      expect(dataOf(paid, 200)).toHaveLength(4 * 8);
      const oldest = await shop.key.get("/v1/orders/events?limit=1");
      expect([oldest.body.data[0].id, oldest.body.page.hasMore]).toEqual([seen[0]?.id, true]);
    });

    test("wakes a reader that waits, and responds with a cursor if nothing happens", async () => {
      const { nextCursor } = (await tenant.key.get("/v1/orders/events?after=now")).body.page;
      const after = encodeURIComponent(nextCursor);
      const waiting = tenant.key.get(`/v1/orders/events?after=${after}&waitSeconds=25`);
      const order = await place();
      expect(dataOf(await waiting, 200)).toMatchObject([
        { type: "order.placed", data: { order: { id: order.id } } },
      ]);
      const end = await tenant.key.get("/v1/orders/events?after=now");
      expect(end.body).toEqual({
        success: true,
        data: [],
        page: { nextCursor: expect.any(String), hasMore: false },
      });
    });

    test("refuses what it does not know", async () => {
      for (const [query, path] of [
        ["after=nonsense", "after"],
        ["waitSeconds=26", "waitSeconds"],
        ["limit=101", "limit"],
        ["types=redirect.added", "types"],
      ] as const) {
        expectFailure(await tenant.key.get(`/v1/orders/events?${query}`), 422, "validation_error", [path]);
      }
    });
  });

  describe("the amount due", () => {
    test.each([
      ["USD", 15.529, 15.53, 15.52],
      ["USD", 0.005, 0.01, 0],
      ["JPY", 10.5, 11, 10],
      ["KWD", 1.0005, 1.001, 1],
    ])("of an order of %s %d is %d", async (currency, unitPrice, due, tooLittle) => {
      const order = await place({ currency, items: [{ sku: "A", name: "Apple", unitPrice }] });
      expect(order).toMatchObject({ total: unitPrice, payableTotal: due, amountDue: due, paidTotal: 0 });
      expectFailure(
        await act(order, "payments", { status: "succeeded", amount: tooLittle }),
        422,
        "validation_error",
        ["amount"],
      );
      expect(await acted(order, "payments", { status: "failed" })).toMatchObject({ amountDue: due });
      const paid = await acted(order, "payments", { status: "succeeded", amount: due });
      expect(paid).toMatchObject({
        total: unitPrice,
        payableTotal: due,
        amountDue: 0,
        paidTotal: due,
        paymentStatus: "paid",
      });
    });

    test("is what a payment without an amount pays, and 0 once the order is cancelled", async () => {
      expect(await acted(await place(HALF_CENTS), "payments", { status: "succeeded" })).toMatchObject({
        paidTotal: 15.53,
        amountDue: 0,
      });
      expect(await acted(await place(HALF_CENTS), "cancel")).toMatchObject({ amountDue: 0 });
    });
  });

  test("the lines of an order have ids that stay the same", async () => {
    const order = await place({ items: [MUG, MUG] });
    const ids = order.items.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([expect.stringMatching(UUID_V7), expect.stringMatching(UUID_V7)]);
    expect(new Set(ids).size).toBe(2);
    const fulfilled = await acted(order, "fulfill", { trackingNumber: "T-1", carrier: "Post" });
    const read = dataOf(await tenant.key.get(`/v1/orders/${order.id}`), 200);
    const [listed] = dataOf(await tenant.key.get(`/v1/orders?ids=${order.id}`), 200);
    expect([fulfilled.items, read.items, listed.items]).toEqual([order.items, order.items, order.items]);
  });

  describe("PATCH /v1/orders/{id}", () => {
    test("changes notes and metadata in every state, shows it in the timeline and in the feed", async () => {
      const order = await place({ customerNote: "Ring twice", metadata: { a: 1 } });
      await acted(order, "fulfill");
      const response = await patch(`/v1/orders/${order.id}`, {
        customerNote: null,
        internalNote: "Pays late",
        metadata: { b: 2 },
      });
      const changed = dataOf(response, 200);
      expect(changed).toMatchObject({ internalNote: "Pays late", metadata: { b: 2 } });
      expect(changed.customerNote ?? null).toBeNull();
      expect(response.headers.get("etag")).toBe(`"${changed.version}"`);
      expect(changed.updatedAt > order.updatedAt).toBe(true);
      expect(dataOf(await tenant.key.get(`/v1/orders/${order.id}`), 200)).toEqual(changed);
      const timeline = dataOf(await tenant.key.get(`/v1/orders/${order.id}/timeline`), 200);
      expect(timeline[0]).toMatchObject({ actor: { type: "api_key", name: "Test key" } });
      expect(timeline).toHaveLength(3);
      const types = (await eventsOf(order.id, 3)).map(({ type }: { type: string }) => type);
      expect(types).toEqual(["order.placed", "order.fulfilled", "order.updated"]);
    });

    test("changes addresses only while placed, and tracking only once fulfilled", async () => {
      const order = await place({ shippingAddress: { line1: "Old Street 1", city: "Bern" } });
      const path = `/v1/orders/${order.id}`;
      const address = { line1: "New Street 2", city: "Basel", geo: [1, 2.5], country: "CH" };
      const early = await patch(path, { trackingNumber: "T-1", carrier: "Post" });
      expect([early.status, early.body.error.code]).toEqual([409, "invalid_transition"]);
      const moved = dataOf(await patch(path, { shippingAddress: address, billingAddress: address }), 200);
      expect(moved).toMatchObject({ shippingAddress: address, billingAddress: address });
      await acted(order, "fulfill", { trackingNumber: "T-1" });
      const corrected = dataOf(await patch(path, { trackingNumber: "T-2", carrier: "Post" }), 200);
      expect(corrected).toMatchObject({ trackingNumber: "T-2", carrier: "Post", status: "fulfilled" });
      const late = await patch(path, { shippingAddress: address, customerNote: "not stored" });
      expect([late.status, late.body.error.code]).toEqual([409, "invalid_transition"]);
      expect(late.body.error.state).toEqual({
        status: "fulfilled",
        paymentStatus: "unpaid",
        allowedActions: expect.arrayContaining(["deliver"]),
      });
      expect(dataOf(await tenant.key.get(path), 200)).toEqual(corrected);
    });

    test("names every field that cannot be changed, and honours If-Match", async () => {
      const order = await place();
      const path = `/v1/orders/${order.id}`;
      expectFailure(await patch(path, { status: "paid", total: 1 }), 422, "validation_error", [
        "status",
        "total",
      ]);
      dataOf(await patch(path, { customerNote: "One" }, { "if-match": `"${order.version}"` }), 200);
      const stale = await patch(path, { customerNote: "Two" }, { "if-match": `"${order.version}"` });
      expectFailure(stale, 412, "version_mismatch");
      expect(dataOf(await tenant.key.get(path), 200).customerNote).toBe("One");
    });
  });

  describe("payments", () => {
    test("are listed with refunds, newest first, for the tenant only", async () => {
      const order = await place(HALF_CENTS);
      await acted(order, "payments", { status: "failed", reference: "try-1" });
      await acted(order, "payments", { status: "succeeded", reference: "try-2" });
      await acted(order, "refund", { amount: 5.5, reason: "Broken", reference: "back-1" });
      await acted(order, "refund");
      const path = `/v1/orders/${order.id}/payments`;
      const all = await allPages(tenant.key, `${path}?limit=3`);
      const common = { id: expect.stringMatching(UUID_V7), createdAt: expect.stringMatching(TIME) };
      const none = { reference: null, reason: null };
      const payment = { ...common, ...none, kind: "payment", amount: 15.53 };
      const refund = { ...common, ...none, kind: "refund", status: "succeeded" };
      expect(all).toEqual([
        { ...refund, amount: 10.03 },
        { ...refund, amount: 5.5, reason: "Broken", reference: "back-1" },
        { ...payment, status: "succeeded", reference: "try-2" },
        { ...payment, status: "failed", reference: "try-1" },
      ]);
      const stranger = await platform.createTenant();
      expectFailure(await stranger.key.get(path), 404, "not_found");
    });

    test("that are repeated with their reference change nothing", async () => {
      const order = await place(HALF_CENTS);
      const payment = { status: "succeeded", amount: 15.53, reference: "pay-1" };
      const paid = await acted(order, "payments", payment);
      expect(await acted(order, "payments", payment)).toEqual(paid);
      const other = await act(order, "payments", { ...payment, amount: 15.54 });
      expect([other.status, other.body.error.code]).toEqual([409, "reference_reused"]);
      const second = await act(order, "payments", { ...payment, reference: "pay-2" });
      expect([second.status, second.body.error.code]).toEqual([409, "order_already_paid"]);

      const refund = { amount: 5, reference: "back-1", reason: "Broken" };
      const refunded = await acted(order, "refund", refund);
      expect(refunded).toMatchObject({ refundedTotal: 5, paymentStatus: "partially_refunded" });
      expect(await acted(order, "refund", refund)).toEqual(refunded);
      const more = await act(order, "refund", { ...refund, amount: 6 });
      expect([more.status, more.body.error.code]).toEqual([409, "reference_reused"]);
      await acted(order, "refund", { amount: 10.53 });
      // Also when nothing more could be refunded.
      expect(await acted(order, "refund", refund)).toMatchObject({ refundedTotal: 15.53 });
      const types = (await eventsOf(order.id, 4)).map(({ type }: { type: string }) => type);
      expect(types).toEqual(["order.placed", "order.paid", "order.refunded", "order.refunded"]);
      const [, paidEvent, refundedEvent] = await eventsOf(order.id, 4);
      expect(paidEvent.data.payment).toEqual({
        id: expect.stringMatching(UUID_V7),
        status: "succeeded",
        amount: 15.53,
        reference: "pay-1",
      });
      expect(refundedEvent.data.refund).toEqual({
        id: expect.stringMatching(UUID_V7),
        amount: 5,
        reason: "Broken",
        reference: "back-1",
      });
    });

    test("that are reported twice at the same moment are one payment, and so are refunds", async () => {
      const order = await place();
      const twice = async (action: string, body: Json) =>
        (await Promise.all([1, 2, 3].map(() => act(order, action, body)))).map(({ status }) => status);
      expect(await twice("payments", { status: "succeeded", reference: "same" })).toEqual([200, 200, 200]);
      expect(await twice("refund", { amount: 1, reference: "same" })).toEqual([200, 200, 200]);
      const { paidTotal, refundedTotal } = dataOf(await tenant.key.get(`/v1/orders/${order.id}`), 200);
      expect([paidTotal, refundedTotal]).toEqual([59.97, 1]);
    });
  });

  test("every conflict of an action says what the state allows", async () => {
    const order = await place();
    expect([...order.allowedActions].sort()).toEqual(["cancel", "fulfill", "payments"]);
    const conflict = async (action: string, body: Json | undefined, code: string) => {
      const { status, body: failure } = await act(order, action, body);
      expect([status, failure.error.code]).toEqual([409, code]);
      const read = dataOf(await tenant.key.get(`/v1/orders/${order.id}`), 200);
      expect(failure.error.state).toEqual({
        status: read.status,
        paymentStatus: read.paymentStatus,
        allowedActions: read.allowedActions,
      });
    };
    await conflict("deliver", undefined, "invalid_transition");
    await conflict("refund", undefined, "order_not_paid");
    await acted(order, "payments", { status: "succeeded" });
    await conflict("payments", { status: "succeeded" }, "order_already_paid");
    await conflict("payments", { status: "failed" }, "order_already_paid");
    await conflict("cancel", undefined, "refund_required");
    await acted(order, "refund");
    await conflict("refund", undefined, "nothing_to_refund");
    await conflict("fulfill", undefined, "invalid_transition");
    const cancelled = await acted(order, "cancel", { reason: "Changed my mind" });
    await conflict("cancel", undefined, "invalid_transition");
    await conflict("payments", { status: "succeeded" }, "order_cancelled");
    expect(cancelled.allowedActions).toEqual([]);
  });

  describe("the list of orders", () => {
    test("is filtered by several statuses, ids, numbers and the channel's id", async () => {
      const shop = await platform.createTenant();
      const make = async (fields: Json) =>
        dataOf(
          await shop.key.post("/v1/orders", { customerId: shop.customerId, items: [MUG], ...fields }),
          201,
        );
      const [first, second, third] = [
        await make({ channel: "storefront", externalId: "web-1", propertyId: "site-a" }),
        await make({ channel: "b2b_portal", externalId: "web-1", orderNumber: "B-7" }),
        await make({}),
      ];
      dataOf(await shop.key.post(`/v1/orders/${second.id}/fulfill`), 200);
      dataOf(await shop.key.post(`/v1/orders/${third.id}/cancel`), 200);
      const found = async (query: string) =>
        (await allPages(shop.key, `/v1/orders?limit=1&${query}`)).map(({ id }) => id);
      const [a, b, c] = [first.id, second.id, third.id];
      for (const [query, expected] of [
        ["status=placed,cancelled", [c, a]],
        ["status=placed", [a]],
        ["paymentStatus=paid,unpaid", [c, b, a]],
        ["paymentStatus=paid,failed", []],
        [`ids=${a},${b},${randomUUID()}`, [b, a]],
        [`ids=${a},${b}&status=fulfilled,delivered`, [b]],
        ["orderNumber=B-7", [b]],
        ["externalId=web-1", [b, a]],
        ["externalId=web-1&channel=storefront", [a]],
        ["propertyId=site-a", [a]],
        [`customerId=${shop.customerId}`, [c, b, a]],
        [`createdAfter=${second.createdAt}`, [c, b]],
        [`createdBefore=${second.createdAt}`, [a]],
      ] as const) {
        expect([query, await found(query)]).toEqual([query, expected]);
      }
      const many = Array.from({ length: 101 }, () => a).join(",");
      for (const [query, path] of [
        [`ids=${many}`, "ids"],
        ["status=placed,paid", "status"],
        ["updatedAfter=yesterday", "updatedAfter"],
      ] as const) {
        expectFailure(await shop.key.get(`/v1/orders?${query}`), 422, "validation_error", [path]);
      }
    });

    test("is filtered by the latest change, of any kind", async () => {
      const [patched, paid, untouched] = [await place(), await place(), await place()];
      const mine = `ids=${patched.id},${paid.id},${untouched.id}`;
      const { updatedAt: first } = dataOf(
        await patch(`/v1/orders/${patched.id}`, { customerNote: "Hi" }),
        200,
      );
      const { updatedAt: last } = await acted(paid, "payments", { status: "succeeded" });
      expect(untouched.updatedAt).toBe(untouched.createdAt);
      expect(await idsOf(`${mine}&updatedAfter=${first}`)).toEqual([paid.id, patched.id]);
      expect(await idsOf(`${mine}&updatedAfter=${last}`)).toEqual([paid.id]);
      expect(await idsOf(`${mine}&updatedBefore=${last}`)).toEqual([untouched.id, patched.id]);
      expect(await idsOf(`${mine}&updatedAfter=${first}&updatedBefore=${last}`)).toEqual([patched.id]);
    });
  });

  describe("an order that exists", () => {
    test("is named in the conflict of its external id, also for twins at the same moment", async () => {
      const order = {
        customerId: tenant.customerId,
        items: [MUG],
        channel: "storefront",
        externalId: "cart-1",
      };
      const twins = await Promise.all([1, 2, 3, 4].map(() => tenant.key.post("/v1/orders", order)));
      expect(twins.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
      const { id } = twins.find(({ status }) => status === 201)?.body.data ?? {};
      for (const twin of twins.filter(({ status }) => status === 409)) {
        expectFailure(twin, 409, "order_exists");
        expect(twin.body.error.orderId).toBe(id);
      }
      const elsewhere = await place({ ...order, channel: "import" });
      expect(elsewhere.externalId).toBe("cart-1");
      const results = dataOf(await tenant.key.post("/v1/orders/bulk", { orders: [order] }), 200);
      expect(results).toMatchObject([
        { index: 0, success: false, error: { code: "order_exists", orderId: id } },
      ]);
    });

    test("is named in the conflict of its number", async () => {
      const order = await place({ orderNumber: "X-1" });
      const again = await tenant.key.post("/v1/orders", {
        customerId: tenant.customerId,
        items: [MUG],
        orderNumber: "X-1",
      });
      expectFailure(again, 409, "order_number_taken");
      expect(again.body.error.orderId).toBe(order.id);
    });
  });

  test("each order of an import says what is wrong with it, also if it is null", async () => {
    const good = { customerId: tenant.customerId, items: [MUG] };
    const bad = {
      customerId: tenant.customerId,
      items: [{ sku: "A", name: "A", quantity: 0, unitPrice: -1 }],
    };
    const results = dataOf(
      await tenant.key.post("/v1/orders/bulk", { orders: [good, null, bad, good] }),
      200,
    );
    expect(results.map(({ success }: { success: boolean }) => success)).toEqual([true, false, false, true]);
    expect(results[1].error.details).toEqual([
      { path: expect.stringMatching(/\S/), message: expect.stringMatching(/object/) },
    ]);
    const paths = results[2].error.details.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(["items[0].quantity", "items[0].unitPrice"]);
  });

  describe("customers", () => {
    const create = async (fields: Json) =>
      dataOf(await tenant.key.post("/v1/customers", { name: "Ada", ...fields }), 201);
    const found = async (query: string) =>
      (await allPages(tenant.key, `/v1/customers?limit=1&${query}`)).map(({ id }) => id);

    test("are found by e-mail, external id, ids and their latest change", async () => {
      const ada = await create({ email: "ada+shop@example.com", externalId: "erp/1" });
      const bob = await create({ name: "Bob", email: "bob@example.com" });
      const { updatedAt } = dataOf(await patch(`/v1/customers/${ada.id}`, { phone: "+41" }), 200);
      const mine = `ids=${ada.id},${bob.id}`;
      for (const [query, expected] of [
        [`email=${encodeURIComponent("ada+shop@example.com")}`, [ada.id]],
        ["email=nobody@example.com", []],
        ["externalId=erp%2F1", [ada.id]],
        [mine, [bob.id, ada.id]],
        [`${mine}&updatedAfter=${updatedAt}`, [ada.id]],
        [`${mine}&updatedBefore=${updatedAt}`, [bob.id]],
      ] as const) {
        expect([query, await found(query)]).toEqual([query, expected]);
      }
      const stranger = await platform.createTenant();
      const theirs = await stranger.key.get("/v1/customers?email=bob@example.com");
      expect(dataOf(theirs, 200)).toEqual([]);
    });

    test("are created or updated by their external id, and a second one is named", async () => {
      const path = `/v1/customers/by-external-id/${encodeURIComponent("erp 2/ü")}`;
      const created = dataOf(await tenant.key.put(path, { name: "Eve", email: "eve@example.com" }), 201);
      expect(created).toMatchObject({ name: "Eve", externalId: "erp 2/ü", version: expect.any(Number) });
      const updated = dataOf(await tenant.key.put(path, { name: "Eva", email: "eve@example.com" }), 200);
      expect(updated).toMatchObject({ id: created.id, name: "Eva", email: "eve@example.com" });
      expect(updated.version).toBeGreaterThan(created.version);
      expect(updated.updatedAt > created.updatedAt).toBe(true);
      const again = await tenant.key.post("/v1/customers", { name: "Eve", externalId: "erp 2/ü" });
      expect([again.status, again.body.error.code, again.body.error.customerId]).toEqual([
        409,
        "conflict",
        created.id,
      ]);
      const twins = await Promise.all(
        [1, 2, 3].map(() => tenant.key.put("/v1/customers/by-external-id/erp-3", { name: "Max" })),
      );
      expect(twins.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
      expect(new Set(twins.map(({ body }) => body.data.id)).size).toBe(1);
    });
  });

  test("a repeated POST happens once, also with a key that was made meanwhile", async () => {
    const scopes = ["read:crm", "write:crm", "write:crm_bulk"];
    const made = dataOf(await tenant.owner.post("/v1/api-keys", { label: "Successor", scopes }), 201);
    const successor = apiClient(platform.url, bearer(made.key));
    const [order, unwanted] = [await place(), await place()];
    await acted(await place({ orderNumber: "Z-1" }), "payments", { status: "succeeded" });
    const [paid] = dataOf(await tenant.key.get("/v1/orders?orderNumber=Z-1"), 200);
    const body = { customerId: tenant.customerId, items: [MUG] };
    for (const [path, first, other] of [
      ["/v1/orders", body, { ...body, customerNote: "Other" }],
      ["/v1/orders/bulk", { orders: [body] }, { orders: [body, body] }],
      ["/v1/customers", { name: "Twin" }, { name: "Other" }],
      [`/v1/orders/${paid.id}/refund`, { amount: 1 }, { amount: 2 }],
      [`/v1/orders/${order.id}/payments`, { status: "failed" }, { status: "succeeded" }],
      [`/v1/orders/${order.id}/fulfill`, {}, { carrier: "Post" }],
      [`/v1/orders/${order.id}/deliver`, {}, undefined],
      [`/v1/orders/${unwanted.id}/cancel`, { reason: "Late" }, { reason: "Early" }],
    ] as const) {
      const key = { "idempotency-key": `once ${path}`.replaceAll(" ", "-") };
      const one = await tenant.key.post(path, first, key);
      expect([path, one.status < 300, one.headers.get("idempotent-replayed")]).toEqual([path, true, null]);
      const two = await successor.post(path, first, key);
      expect([path, two.status, two.text]).toEqual([path, one.status, one.text]);
      expect(two.headers.get("idempotent-replayed")).toBe("true");
      if (other === undefined) continue;
      const reused = await tenant.key.post(path, other, key);
      expect([path, reused.status, reused.body.error.code]).toEqual([path, 422, "idempotency_key_reused"]);
    }
    const bad = await tenant.key.post("/v1/orders", body, { "idempotency-key": "a b" });
    expectFailure(bad, 422, "validation_error", ["Idempotency-Key"]);
  });

  test("orders and customers honour If-Match and If-None-Match, actions too", async () => {
    const placed = await tenant.key.post("/v1/orders", { customerId: tenant.customerId, items: [MUG] });
    const created = await tenant.key.post("/v1/customers", { name: "Zoe", externalId: "zoe 1" });
    const [order, customer] = [dataOf(placed, 201), dataOf(created, 201)];
    expect(placed.headers.get("etag")).toBe(`"${order.version}"`);
    expect(created.headers.get("etag")).toBe(`"${customer.version}"`);
    for (const [method, path, body, changed] of [
      ["PATCH", `/v1/orders/${order.id}`, { customerNote: "Hi" }, `/v1/orders/${order.id}`],
      ["POST", `/v1/orders/${order.id}/payments`, { status: "succeeded" }, `/v1/orders/${order.id}`],
      ["POST", `/v1/orders/${order.id}/refund`, { amount: 1 }, `/v1/orders/${order.id}`],
      ["POST", `/v1/orders/${order.id}/fulfill`, {}, `/v1/orders/${order.id}`],
      ["POST", `/v1/orders/${order.id}/deliver`, {}, `/v1/orders/${order.id}`],
      ["PATCH", `/v1/customers/${customer.id}`, { name: "Zoé" }, `/v1/customers/${customer.id}`],
      [
        "PUT",
        "/v1/customers/by-external-id/zoe%201",
        { name: "Zoe", phone: "+41" },
        `/v1/customers/${customer.id}`,
      ],
    ] as const) {
      const read = await tenant.key.get(changed);
      const etag = String(read.headers.get("etag"));
      expect(etag).toBe(`"${read.body.data.version}"`);
      expect((await tenant.key.get(changed, { "if-none-match": etag })).status).toBe(304);
      const stale = await sendJson(tenant.key, method, path, body, { "if-match": '"99"' });
      expectFailure(stale, 412, "version_mismatch");
      expect(stale.headers.get("etag")).toBe(etag);
      const done = await sendJson(tenant.key, method, path, body, { "if-match": etag });
      expect(dataOf(done, 200).version).toBe(read.body.data.version + 1);
      expect(done.headers.get("etag")).toBe(`"${done.body.data.version}"`);
      expect((await tenant.key.get(changed, { "if-none-match": etag })).status).toBe(200);
    }
  });
});
