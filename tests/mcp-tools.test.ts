// Every tool of /mcp with the real services.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { bearer, connectMcp, type McpClient, until } from "@tradepost/testing";
import { dataOf } from "./support/data-of.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

type Args = Record<string, unknown>;
const MUG = { sku: "MUG-1", name: "Mug", quantity: 2, unit_price: 10 };

describe("the tools of /mcp", () => {
  let platform: TestPlatform;
  let tenant: TestTenant;
  let assistant: McpClient;
  beforeAll(async () => {
    platform = await startTestPlatform();
    tenant = await platform.createTenant();
    assistant = await connectMcp(platform.url, tenant.apiKey);
  });
  afterAll(async () => {
    await assistant.close();
    await platform.stop();
  });

  const ok = async (name: string, args: Args = {}) => {
    const result = await assistant.call(name, args);
    expect([name, result.isError, result.text]).toEqual([name, false, result.text]);
    return result.data;
  };
  const failure = async (name: string, args: Args = {}) => {
    const result = await assistant.call(name, args);
    expect([name, result.isError, result.text]).toEqual([name, true, result.text]);
    return result.data;
  };
  const place = async (args: Args = {}) =>
    (await ok("place_order", { customer_id: tenant.customerId, items: [MUG], ...args })).order;
  const pay = (order: { id: string }) => ok("record_payment", { order_id: order.id, status: "succeeded" });
  const overHttp = async (order: { id: string }) =>
    dataOf(await tenant.key.get(`/v1/orders/${order.id}`), 200);

  describe("for reading orders", () => {
    test("find them by number, state, customer and time, in pages", async () => {
      const customer_id = (await ok("save_customer", { name: "Buyer" })).customer.id;
      const placed = [];
      for (let index = 0; index < 3; index += 1)
        placed.push(await place({ customer_id, external_id: randomUUID() }));
      const [first, , last] = placed;
      await pay(first);
      const found = async (args: Args) =>
        (await ok("find_orders", args)).orders.map(({ id }: { id: string }) => id);
      expect(await found({ order_number: last.order_number })).toEqual([last.id]);
      expect(await found({ customer_id, payment_status: ["paid", "refunded"] })).toEqual([first.id]);
      expect(await found({ customer_id, status: ["cancelled"] })).toEqual([]);
      expect(await found({ customer_id, created_before: first.created_at })).toEqual([]);
      expect(
        await found({ customer_id, channel: "mcp", updated_after: "2020-01-01T00:00:00Z" }),
      ).toHaveLength(3);
      expect(await found({ search: `buy ${last.order_number}` })).toEqual([last.id]);
      expect((await failure("find_orders", { search: "b" })).details[0].path).toBe("search");
      const page = await ok("find_orders", { customer_id, limit: 2 });
      expect(page.orders.map(({ id }: { id: string }) => id)).toEqual([last.id, placed[1].id]);
      expect(await found({ customer_id, limit: 2, cursor: page.next_cursor })).toEqual([first.id]);
      expect((await failure("find_orders", { cursor: "x" })).details[0].path).toBe("cursor");
      expect((await failure("find_orders", { created_after: "yesterday" })).details[0].path).toBe(
        "created_after",
      );
    });

    test("show the first lines of an order, and say how many are left out", async () => {
      const items = Array.from({ length: 60 }, (_, index) => ({ ...MUG, sku: `MUG-${index}` }));
      const { id } = await place({ items });
      const concise = (await ok("get_order", { order_id: id })).order;
      expect([concise.item_count, concise.items.length, concise.items_omitted]).toEqual([60, 5, 55]);
      const full = (await ok("get_order", { order_id: id.toUpperCase(), detail: "full" })).order;
      expect([full.items.length, full.items_omitted]).toEqual([50, 10]);
    });

    test("page through the timeline", async () => {
      const order = await place();
      await pay(order);
      const { timeline, timeline_next_cursor } = await ok("get_order", { order_id: order.id, limit: 1 });
      expect(timeline).toMatchObject([{ type: "order.paid" }]);
      const rest = await ok("get_order", { order_id: order.id, limit: 1, cursor: timeline_next_cursor });
      expect([rest.timeline[0].type, rest.timeline_next_cursor]).toEqual(["order.placed", null]);
    });

    test("do not find another tenant's order", async () => {
      const other = await platform.createTenant();
      const stranger = await connectMcp(platform.url, other.apiKey);
      const { id } = await place();
      for (const [name, args] of [
        ["get_order", {}],
        ["fulfill_order", {}],
        ["refund_order", {}],
        ["record_payment", { status: "succeeded" }],
      ] as const)
        expect((await stranger.call(name, { order_id: id, ...args })).data.code).toBe("not_found");
      await stranger.close();
    });
  });

  describe("for placing orders", () => {
    test("set the channel themselves, pass every field on, and keep notes apart", async () => {
      const address = { line1: "1 Quay", city: "Lisbon", postal_code: "1100", country: "PT" };
      const { id } = await place({
        currency: "EUR",
        items: [{ ...MUG, tax_amount: 1, description: "blue", product_id: randomUUID() }],
        ...{
          shipping_total: 5,
          discount_total: 1,
          tax_total: 2,
          shipping_address: address,
          billing_address: address,
        },
        ...{ customer_note: "leave it at the door", internal_note: "a regular", property_id: "shop-1" },
      });
      expect(await overHttp({ id })).toMatchObject({
        ...{ channel: "mcp", currency: "EUR", shippingTotal: 5, discountTotal: 1, taxTotal: 2, total: 26 },
        ...{ customerNote: "leave it at the door", internalNote: "a regular", propertyId: "shop-1" },
        shippingAddress: { line1: "1 Quay", city: "Lisbon", postalCode: "1100", country: "PT" },
        items: [{ taxAmount: 1, description: "blue" }],
      });
      expect((await failure("place_order", { channel: "admin" })).details).toContainEqual({
        path: "channel",
        message: "unknown field",
      });
    });

    test("name the faults that the service finds by argument", async () => {
      const items = [{ ...MUG, unit_price: 1.23456, product_id: "p" }];
      const { code, details } = await failure("place_order", {
        customer_id: tenant.customerId,
        items,
        currency: "XXQ",
      });
      expect([code, details.map(({ path }: { path: string }) => path).sort()]).toEqual([
        "validation_error",
        ["currency", "items[0].product_id", "items[0].unit_price"],
      ]);
      expect(await failure("place_order", { customer_id: randomUUID(), items: [MUG] })).toMatchObject({
        code: expect.stringMatching(/not_found|validation_error/),
      });
    });

    test("place one order for a request_key, however many calls come at once, and refuse it for another order", async () => {
      const order = { customer_id: tenant.customerId, items: [MUG], request_key: randomUUID() };
      const placed = await Promise.all(Array.from({ length: 10 }, () => ok("place_order", order)));
      expect(new Set(placed.map((one) => one.order.id)).size).toBe(1);
      expect(placed.filter(({ result }) => result === "placed")).toHaveLength(1);
      expect(await failure("place_order", { ...order, shipping_total: 1 })).toMatchObject({
        code: "idempotency_key_reused",
        next_step: expect.stringContaining("request_key"),
      });
      // Other clients of the tenant may use the same key for another request.
      const body = { customerId: tenant.customerId, items: [{ sku: "A", name: "a" }] };
      const response = await tenant.key.post("/v1/orders", body, { "idempotency-key": order.request_key });
      expect(response.status).toBe(201);
    });

    test("place two orders without one", async () => {
      expect((await place()).id).not.toBe((await place()).id);
    });

    test("point to the order that has the external_id", async () => {
      const external_id = randomUUID();
      const { id } = await place({ external_id });
      const args = { customer_id: tenant.customerId, items: [MUG], external_id };
      expect(await failure("place_order", args)).toMatchObject({ code: "order_exists", order_id: id });
    });
  });

  describe("for the life of an order", () => {
    test("go from placed to delivered", async () => {
      const order = await place();
      const failed = { order_id: order.id, status: "failed", reference: "p-1" };
      expect((await ok("record_payment", failed)).order.payment_status).toBe("failed");
      await pay(order);
      const sent = await ok("fulfill_order", {
        order_id: order.id,
        tracking_number: "T-1",
        request_key: "sent",
      });
      expect(sent).toMatchObject({ result: "done", order: { status: "fulfilled" } });
      const again = await ok("fulfill_order", {
        order_id: order.id,
        tracking_number: "T-1",
        request_key: "sent",
      });
      expect(again.result).toBe("already_done");
      expect((await ok("deliver_order", { order_id: order.id })).order.status).toBe("delivered");
    });

    test("refuse what the state does not allow, with the tools that work instead", async () => {
      const order = await place();
      expect(await failure("deliver_order", { order_id: order.id })).toMatchObject({
        code: "invalid_transition",
        state: { status: "placed", payment_status: "unpaid" },
        next_step: expect.stringContaining("allowed_actions"),
      });
      const { state } = await failure("deliver_order", { order_id: order.id });
      expect(state.allowed_actions.sort()).toEqual(["cancel_order", "fulfill_order", "record_payment"]);
      expect(await failure("refund_order", { order_id: order.id })).toMatchObject({ code: "order_not_paid" });
      const wrong = { order_id: order.id, status: "succeeded", amount: 1 };
      expect((await failure("record_payment", wrong)).details[0].path).toBe("amount");
      await pay(order);
      expect(await failure("record_payment", { order_id: order.id, status: "succeeded" })).toMatchObject({
        code: "order_already_paid",
      });
      expect(await failure("cancel_order", { order_id: order.id })).toMatchObject({
        code: "refund_required",
      });
      await ok("fulfill_order", { order_id: order.id });
      expect(await failure("cancel_order", { order_id: order.id })).toMatchObject({
        code: "invalid_transition",
      });
    });
  });

  describe("that need a confirmation", () => {
    test("cancel an order with the second call, once, with the reason", async () => {
      const order = await place();
      const asked = await ok("cancel_order", { order_id: order.id, reason: "out of stock" });
      expect(asked).toMatchObject({ result: "confirmation_required", order: { status: "placed" } });
      expect(asked.amount).toBeUndefined();
      expect((await overHttp(order)).status).toBe("placed");
      const confirmed = { order_id: order.id, reason: "out of stock", confirm: asked.confirm };
      expect(await ok("cancel_order", confirmed)).toMatchObject({
        result: "done",
        order: { status: "cancelled" },
      });
      expect((await ok("cancel_order", confirmed)).result).toBe("already_done");
      expect(await overHttp(order)).toMatchObject({ status: "cancelled", cancelReason: "out of stock" });
    });

    test("refund in parts, and exactly what was confirmed", async () => {
      const order = await place();
      await pay(order);
      for (const [amount, left] of [
        [7.5, 12.5],
        [2.5, 10],
      ]) {
        const { confirm } = await ok("refund_order", { order_id: order.id, amount });
        const { order: after } = await ok("refund_order", { order_id: order.id, amount, confirm });
        expect(after.paid_total - after.refunded_total).toBe(left);
      }
      const rest = await ok("refund_order", { order_id: order.id });
      expect(rest.amount).toBe(10);
      expect((await failure("refund_order", { order_id: order.id, amount: 10.01 })).details[0].path).toBe(
        "amount",
      );
      for (const amount of [0, 1e-7, 1.00001])
        expect((await failure("refund_order", { order_id: order.id, amount })).details[0].path).toBe(
          "amount",
        );
      await ok("refund_order", { order_id: order.id, confirm: rest.confirm });
      expect(await overHttp(order)).toMatchObject({ refundedTotal: 20, paymentStatus: "refunded" });
    });

    test("refund once, however many calls with one confirmation come at once", async () => {
      const order = await place();
      await pay(order);
      const { confirm } = await ok("refund_order", { order_id: order.id, amount: 5 });
      const refund = () => ok("refund_order", { order_id: order.id, amount: 5, confirm });
      const results = await Promise.all(Array.from({ length: 10 }, refund));
      expect(results.filter(({ result }) => result === "done")).toHaveLength(1);
      expect((await overHttp(order)).refundedTotal).toBe(5);
    });

    test("ask again if two confirmations race, and refund one of them", async () => {
      const order = await place();
      await pay(order);
      const asked = await Promise.all(
        [5, 6].map((amount) => ok("refund_order", { order_id: order.id, amount })),
      );
      const results = await Promise.all(
        asked.map(({ amount, confirm }) => ok("refund_order", { order_id: order.id, amount, confirm })),
      );
      expect(results.map(({ result }) => result).sort()).toEqual(["confirmation_required", "done"]);
      const done = results.find(({ result }) => result === "done");
      expect((await overHttp(order)).refundedTotal).toBe(done.amount);
    });

    test("do not take a confirmation of another order, action or caller", async () => {
      const [order, other] = [await place(), await place()];
      for (const one of [order, other]) await pay(one);
      const { confirm } = await ok("refund_order", { order_id: order.id });
      expect((await ok("refund_order", { order_id: other.id, confirm })).result).toBe(
        "confirmation_required",
      );
      const { key } = dataOf(
        await tenant.owner.post("/v1/api-keys", { label: "another", scopes: ["read:crm", "write:crm"] }),
        201,
      );
      const colleague = await connectMcp(platform.url, key);
      const { data } = await colleague.call("refund_order", { order_id: order.id, confirm });
      expect(data.result).toBe("confirmation_required");
      await colleague.close();
      for (const one of [order, other]) expect((await overHttp(one)).refundedTotal).toBe(0);
    });

    test("say that nothing was refunded if the reference is that of an earlier refund", async () => {
      const order = await place();
      await pay(order);
      const refund = { order_id: order.id, amount: 5, reference: "R-1" };
      const refundOnce = async () => {
        const { confirm } = await ok("refund_order", refund);
        return await ok("refund_order", { ...refund, confirm });
      };
      expect((await refundOnce()).result).toBe("done");
      expect((await refundOnce()).result).toBe("already_done");
      expect((await overHttp(order)).refundedTotal).toBe(5);
    });

    test("say that a confirmation was used, if only the reason differs", async () => {
      const order = await place();
      await pay(order);
      const { confirm } = await ok("refund_order", { order_id: order.id });
      await ok("refund_order", { order_id: order.id, confirm, reason: "broken" });
      const again = await failure("refund_order", { order_id: order.id, confirm, reason: "damaged" });
      expect(again).toMatchObject({ code: "conflict", message: expect.stringContaining("already") });
    });
  });

  test("sum up orders", async () => {
    const before = { from: "2026-01-01T00:00:00Z", to: "2036-01-01T00:00:00Z", by: "month" };
    const sumOf = async () => {
      const { currencies } = await ok("sales_summary", before);
      return (
        currencies.find(({ currency }: { currency: string }) => currency === "USD")?.sum ?? {
          orders: 0,
          paid: 0,
        }
      );
    };
    const first = await sumOf();
    const order = await place();
    await pay(order);
    const sum = await sumOf();
    expect(sum.orders).toBe(first.orders + 1);
    expect(sum.paid).toBeCloseTo(first.paid + order.payable_total, 4);
    const { open } = await ok("sales_summary", before);
    expect(open.ready_to_ship).toBeGreaterThan(0);
    expect(open.to_fulfill).toBeGreaterThanOrEqual(open.ready_to_ship);
    expect((await failure("sales_summary", { ...before, time_zone: "Mars/Olympus" })).details[0].path).toBe(
      "time_zone",
    );
  });

  describe("for customers", () => {
    test("create, find, change and clear", async () => {
      const email = `${randomUUID()}@example.com`;
      const given = {
        name: "Grace",
        email,
        phone: "+351 1",
        external_id: randomUUID(),
        request_key: randomUUID(),
      };
      const { customer } = await ok("save_customer", given);
      expect((await ok("save_customer", given)).result).toBe("already_created");
      for (const filter of [
        { search: email.slice(0, 20).toUpperCase() },
        { email },
        { external_id: given.external_id },
        { customer_ids: [customer.id] },
      ])
        expect((await ok("find_customers", filter)).customers).toMatchObject([{ id: customer.id }]);
      const changed = await ok("save_customer", {
        customer_id: customer.id,
        phone: null,
        version: customer.version,
      });
      expect(changed.customer.phone).toBeUndefined();
      expect(changed.customer.email).toEqual({ untrusted_text: email });
      const stale = { customer_id: customer.id, name: "x", version: customer.version };
      expect((await failure("save_customer", stale)).code).toBe("version_mismatch");
    });

    test("name what is wrong, and the customer who exists", async () => {
      expect(
        (await failure("save_customer", { email: "x" })).details.map(({ path }: { path: string }) => path),
      ).toEqual(["name", "email"]);
      expect((await failure("save_customer", { name: "a", version: 1 })).details[0].path).toBe("version");
      const external_id = randomUUID();
      const { customer } = await ok("save_customer", { name: "a", external_id });
      expect(await failure("save_customer", { name: "b", external_id })).toMatchObject({
        code: "conflict",
        customer_id: customer.id,
      });
    });
  });

  describe("for content", () => {
    beforeAll(async () => {
      const fields = [
        { key: "title", type: "text", required: true },
        { key: "views", type: "number", required: false },
      ];
      await tenant.owner.put("/v1/content-types/post", { name: "Post", fields });
    });

    test("show the types, write drafts, and never publish", async () => {
      expect((await ok("search_content", { what: "content_types" })).content_types).toMatchObject([
        { slug: "post", fields: [{ key: "title", type: "text", required: true }, { key: "views" }] },
      ]);
      const draft = {
        type: "post",
        slug: "hello",
        data: { title: "Hello", views: 1 },
        request_key: randomUUID(),
      };
      const { entry } = await ok("save_entry_draft", draft);
      expect(entry).toMatchObject({ status: "draft", slug: "hello", revision: 1 });
      expect((await ok("save_entry_draft", draft)).result).toBe("already_created");
      const change = {
        entry_id: entry.id,
        data: { title: "Hello again", views: null },
        version: entry.version,
      };
      expect((await ok("save_entry_draft", change)).entry).toMatchObject({ revision: 2, status: "draft" });
      expect((await failure("save_entry_draft", change)).code).toBe("version_mismatch");
      const [found] = (await ok("search_content", { type: "post", slug: "hello", status: "draft" })).entries;
      expect(found.data).toEqual({ untrusted_text: '{"title":"Hello again"}' });
      const whole = await ok("search_content", { entry_id: entry.id });
      expect(whole.entries[0]).toMatchObject({ id: entry.id, published_at: null });
      expect((await ok("search_content", { version: "published" })).entries).toEqual([]);
    });

    test("keep every digit of a number", async () => {
      const client = `${platform.url}/mcp`;
      const data = '{"title":"exact","views":12345678901234567890}';
      const params = `{"name":"save_entry_draft","arguments":{"type":"post","data":${data}}}`;
      const response = await fetch(client, {
        method: "POST",
        headers: { ...bearer(tenant.apiKey), "content-type": "application/json" },
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
      });
      const { id } = JSON.parse(await response.text()).result.structuredContent.entry;
      expect((await tenant.key.get(`/v1/entries/${id}`)).text).toContain("12345678901234567890");
      expect((await ok("search_content", { entry_id: id })).entries[0].data.untrusted_text).toBe(data);
    });

    test("name the faults of the data by its own names", async () => {
      const { details } = await failure("save_entry_draft", {
        type: "post",
        data: { title: 5, camelCase: 1 },
      });
      expect(details.map(({ path }: { path: string }) => path).sort()).toEqual([
        "data.camelCase",
        "data.title",
      ]);
      const unknown = await failure("save_entry_draft", { type: "nothing", data: {} });
      expect(unknown.details[0].path).toBe("type");
      const both = await failure("save_entry_draft", { entry_id: randomUUID(), type: "post", locale: "en" });
      expect(both.details.map(({ path }: { path: string }) => path)).toEqual(["type", "locale"]);
    });
  });

  test("for webhooks explain what fails, and show the endpoint's host only", async () => {
    const url = "https://127.0.0.1:9/secret-path?token=secret";
    const subscription = { name: "ERP", url, events: ["redirect.added"] };
    const { id } = dataOf(await tenant.owner.post("/v1/webhooks/subscriptions", subscription), 201);
    const nothing = { notices: [], endpoints: [], deliveries: [], next_cursor: null };
    expect(await ok("webhook_problems")).toEqual(nothing);
    await tenant.key.post("/v1/redirects", { from: `/${randomUUID()}`, to: "/b" });
    const { deliveries, endpoints } = await until("the delivery has failed", async () => {
      const shown = await ok("webhook_problems", { status: "retrying", subscription_id: id });
      // The endpoints are read before the deliveries, so their health may be older.
      return shown.deliveries.length > 0 && shown.endpoints[0].last_error !== null && shown;
    });
    expect(deliveries).toMatchObject([
      {
        ...{ subscription_id: id, type: "redirect.added", status: "retrying" },
        reason: { outcome: "connection_refused" },
        explanation: expect.stringMatching(/^Nothing accepts connections .* tried again at /),
      },
    ]);
    expect(endpoints).toMatchObject([
      { id, host: { untrusted_text: "127.0.0.1:9" }, last_error: "connection_refused" },
    ]);
    expect(JSON.stringify({ deliveries, endpoints })).not.toContain("secret");
    // Without a status, both kinds are shown, and the summary reports problems.
    const { text, data } = await assistant.call("webhook_problems");
    expect(text).toContain("0 failed for good, 1 being retried.");
    expect(data.deliveries).toMatchObject([{ status: "retrying" }]);
    await tenant.key.post("/v1/redirects", { from: `/${randomUUID()}`, to: "/b" });
    await until("two that are retried", async () => (await ok("webhook_problems")).deliveries.length === 2);
    const page = await ok("webhook_problems", { limit: 1 });
    const next = await ok("webhook_problems", { limit: 1, cursor: page.next_cursor });
    expect([page.deliveries.length, next.deliveries.length, next.next_cursor]).toEqual([1, 1, null]);
    expect(next.deliveries[0].id).not.toBe(page.deliveries[0].id);
    const sent = await tenant.owner.send("PATCH", `/v1/webhooks/subscriptions/${id}`, {
      headers: { "content-type": "application/json" },
      body: '{"active":false}',
    });
    expect(sent.status).toBe(200);
    expect((await ok("webhook_problems")).endpoints).toMatchObject([{ id, active: false }]);
  });

  test("for webhooks show the open notices, of all endpoints or of one", async () => {
    const other = await platform.createTenant();
    const client = await connectMcp(platform.url, other.apiKey);
    const url = "https://127.0.0.1:9/secret-path";
    const subscribe = async (name: string, event: string) =>
      dataOf(await other.owner.post("/v1/webhooks/subscriptions", { name, url, events: [event] }), 201).id;
    const id = await subscribe("ERP", "redirect.added");
    const healthy = await subscribe("Search", "media.uploaded");
    for (let failure = 1; failure <= 5; failure += 1)
      await other.key.post("/v1/redirects", { from: `/${randomUUID()}`, to: "/b" });
    const { text, data } = await until("the notice is open", async () => {
      const shown = await client.call("webhook_problems");
      return shown.data.notices.length > 0 && shown;
    });
    expect(text).toMatch(/^Open notices: 1\. Endpoints that fail or are paused: 1\./);
    const [listed] = dataOf(await other.key.get("/v1/notices?open=true"), 200);
    expect(data.notices).toEqual([
      {
        ...{ kind: "endpoint_failing", subscription_id: id, since: listed.openedAt },
        subject: { untrusted_text: "ERP (127.0.0.1:9)" },
        what_happens_next: listed.whatHappensNext,
      },
    ]);
    const noticesOf = async (subscription_id: string) =>
      (await client.call("webhook_problems", { subscription_id })).data.notices;
    expect(await noticesOf(id)).toEqual(data.notices);
    expect(await noticesOf(healthy)).toEqual([]);
    expect(dataOf(await other.owner.delete(`/v1/webhooks/subscriptions/${id}`), 200).deleted).toBe(true);
    expect((await client.call("webhook_problems")).data.notices).toEqual([]);
    await client.close();
  });

  test("work for a signed-in user, by role", async () => {
    const owner = await connectMcp(platform.url, tenant.ownerToken);
    const { data } = await owner.call("whoami");
    expect(data).toMatchObject({ actor: { type: "user", role: "owner" }, scopes: [], missing: [] });
    const placed = await owner.call("place_order", { customer_id: tenant.customerId, items: [MUG] });
    const { timeline } = (await owner.call("get_order", { order_id: placed.data.order.id })).data;
    expect(timeline[0].actor.type).toBe("user");
    await owner.close();
  });

  test("work many at a time", async () => {
    const orders = await Promise.all(Array.from({ length: 5 }, () => place()));
    const calls = orders.flatMap(({ id }) =>
      Array.from({ length: 3 }, () => ok("get_order", { order_id: id })),
    );
    const read = await Promise.all(calls);
    expect(read.map(({ order }) => order.id)).toEqual(orders.flatMap(({ id }) => Array(3).fill(id)));
  });
});
