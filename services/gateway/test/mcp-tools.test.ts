// The requests of each tool of /mcp to the services, and its results. `stories/mcp` uses the tools with the real services.
import { callTool, errorOf, JSON_TYPE, SCOPES } from "./support/mcp-requests.ts";
import { data, failure, useRecordingUpstream } from "./support/recording-upstream.ts";
import { useGateway } from "./support/test-gateway.ts";

const ID = "01a204a0-0095-7333-a013-c19b41c23477";
const OTHER_ID = "01a204a0-0095-7333-a013-c19b41c23478";
const ADDRESS = { line1: "1 Quay", city: "Lisbon", country: "PT" };
const ORDER = {
  ...{ id: ID, version: 3, status: "placed", paymentStatus: "paid", currency: "EUR", items: [] },
  ...{ allowedActions: ["fulfill", "refund"], paidTotal: 20, refundedTotal: 7.5, data: {} },
};

type Refusal = { readonly code: string } & Record<string, unknown>;

/** The services' responses: data, and the refusal or replay of the next change. */
let served: { order: object; statistics: object; refusal?: Refusal; isReplay?: boolean };
const upstream = await useRecordingUpstream();
upstream.respondWith((res, recorded) => {
  const { method = "", url = "" } = recorded.req;
  const { order, statistics, refusal, isReplay } = served;
  const isChange = method !== "GET";
  const isList = !isChange && /\?(?!version)|timeline|payments/.test(url);
  const one = /^\/v1\/orders\/[0-9a-f]/.test(url) ? { ...order, id: url.split("/")[3] } : order;
  const response = url.includes("statistics") ? statistics : isList ? [] : one;
  if (isChange && isReplay) res.setHeader("idempotent-replayed", "true");
  if (!isChange || refusal === undefined) data(response)(res, recorded);
  else failure(409, { message: "Refused.", ...refusal })(res, recorded);
});
const gateway = await useGateway(upstream.settings);
const tenant = await gateway.createTenant();
const { client: assistant } = await gateway.createKey(tenant, SCOPES);
beforeEach(() => {
  upstream.recorded.length = 0;
});

describe("a tool", () => {
  const serve = (changed: Partial<typeof served> = {}) => {
    served = { order: ORDER, statistics: {}, ...changed };
  };
  const ok = async (name: string, args: object, client = assistant) => {
    const { body } = await callTool(client, name, args);
    expect([name, body.result?.isError, body.error]).toEqual([name, undefined, undefined]);
    return body.result.structuredContent;
  };
  const failure = async (name: string, args: object) => errorOf(await callTool(assistant, name, args));
  /** The requests that reached the services, as the table below shows them. */
  const sent = () =>
    upstream.recorded.map(({ req, body }) => {
      const { "idempotency-key": key, "if-match": ifMatch } = req.headers;
      const extra = { ...(key !== undefined && { key }), ...(ifMatch !== undefined && { ifMatch }) };
      const target = `${req.method} ${decodeURIComponent(req.url ?? "")}`;
      return body.length === 0 ? [target] : [target, JSON.parse(body.toString()), extra];
    });

  const line = { sku: "MUG-1", name: "Mug", quantity: 2 };
  const filters = { status: ["placed", "fulfilled"], payment_status: ["paid"], channel: "mcp" };
  const times = {
    created_after: "a",
    created_before: "b",
    placed_after: "d",
    placed_before: "e",
    updated_after: "c",
  };
  const open = { toFulfill: 1, readyToShip: 2, unpaid: 3, paymentFailed: 4, toDeliver: 5 };

  // biome-ignore format: a table is read by its columns.
  test.each<[string, object, unknown[][]]>([
    ["find_orders", {}, [["GET /v1/orders?limit=10"]]],
    ["find_orders", { search: "buy", order_number: "7", external_id: "e", customer_id: ID, ...filters, ...times, limit: 2, cursor: "x" }, [
      [`GET /v1/orders?search=buy&orderNumber=7&externalId=e&customerId=${ID}&status=placed,fulfilled&paymentStatus=paid&channel=mcp&createdAfter=a&createdBefore=b&placedAfter=d&placedBefore=e&updatedAfter=c&limit=2&cursor=x`],
    ]],
    ["get_order", { order_id: ID.toUpperCase(), limit: 1, cursor: "x" }, [[`GET /v1/orders/${ID}`], [`GET /v1/orders/${ID}/timeline?limit=1&cursor=x`]]],
    ["get_order", { order_id: ID, detail: "full" }, [
      [`GET /v1/orders/${ID}`], [`GET /v1/orders/${ID}/timeline?limit=10`], [`GET /v1/orders/${ID}/payments?limit=20`],
    ]],
    ["place_order", { customer_id: ID, items: [{ ...line, unit_price: 10, tax_amount: 1, description: "blue", product_id: "p", variant_id: "v" }], currency: "EUR", shipping_total: 5, discount_total: 1, tax_total: 2, shipping_address: { ...ADDRESS, postal_code: "1100" }, billing_address: ADDRESS, customer_note: "c", internal_note: "i", placed_at: "p", external_id: "e", property_id: "s", request_key: "k" }, [
      ["POST /v1/orders", { channel: "mcp", customerId: ID, items: [{ ...line, unitPrice: 10, taxAmount: 1, description: "blue", productId: "p", variantId: "v" }], currency: "EUR", shippingTotal: 5, discountTotal: 1, taxTotal: 2, shippingAddress: { ...ADDRESS, postalCode: "1100" }, billingAddress: ADDRESS, customerNote: "c", internalNote: "i", placedAt: "p", externalId: "e", propertyId: "s" }, { key: "mcp:k" }],
    ]],
    ["record_payment", { order_id: ID, status: "succeeded", amount: 20, reference: "p-1" }, [[`POST /v1/orders/${ID}/payments`, { status: "succeeded", amount: 20, reference: "p-1" }, {}]]],
    ["fulfill_order", { order_id: ID, tracking_number: "T", carrier: "Post", request_key: "k" }, [[`POST /v1/orders/${ID}/fulfill`, { trackingNumber: "T", carrier: "Post" }, { key: "mcp:k" }]]],
    ["fulfill_order", { order_id: ID, lines: [{ line_id: OTHER_ID, quantity: 2 }] }, [[`POST /v1/orders/${ID}/fulfill`, { lines: [{ lineId: OTHER_ID, quantity: 2 }] }, {}]]],
    ["deliver_order", { order_id: ID }, [[`POST /v1/orders/${ID}/deliver`, {}, {}]]],
    ["deliver_order", { order_id: ID, shipment_id: OTHER_ID }, [[`POST /v1/orders/${ID}/deliver`, { shipmentId: OTHER_ID }, {}]]],
    ["sales_summary", { from: "a", to: "b", by: "month", time_zone: "Europe/Lisbon", channel: "mcp" }, [["GET /v1/orders/statistics?from=a&to=b&by=month&timeZone=Europe/Lisbon&channel=mcp"]]],
    ["find_customers", { search: "gr", email: "a@b.example", external_id: "e", customer_ids: [ID, OTHER_ID], updated_after: "c", limit: 2, cursor: "x" }, [
      [`GET /v1/customers?search=gr&email=a@b.example&externalId=e&updatedAfter=c&limit=2&cursor=x&ids=${ID},${OTHER_ID}`],
    ]],
    ["save_customer", { name: "Grace", email: "a@b.example", external_id: "e", request_key: "k" }, [["POST /v1/customers", { name: "Grace", email: "a@b.example", externalId: "e" }, { key: "mcp:k" }]]],
    ["save_customer", { customer_id: ID, phone: null, version: 3 }, [[`PATCH /v1/customers/${ID}`, { phone: null }, { ifMatch: '"3"' }]]],
    ["search_content", { what: "content_types" }, [["GET /v1/content-types?limit=10"]]],
    ["search_content", { type: "post", status: "draft", slug: "s", locale: "en", version: "published", cursor: "x" }, [["GET /v1/entries?type=post&status=draft&slug=s&locale=en&version=published&limit=10&cursor=x"]]],
    ["search_content", { entry_id: ID }, [[`GET /v1/entries/${ID}?version=draft`]]],
    ["save_entry_draft", { type: "post", slug: "s", locale: "en", data: { heroImage: 1 }, request_key: "k" }, [["POST /v1/entries", { type: "post", slug: "s", locale: "en", data: { heroImage: 1 } }, { key: "mcp:k" }]]],
    ["save_entry_draft", { entry_id: ID, data: { views: null }, version: 3 }, [[`PATCH /v1/entries/${ID}`, { data: { views: null } }, { ifMatch: '"3"' }]]],
    ["webhook_problems", { subscription_id: ID, cursor: "a~" }, [
      [`GET /v1/notices?open=true&subscriptionId=${ID}&limit=20`], ["GET /v1/webhooks/subscriptions?limit=100"], [`GET /v1/webhooks/deliveries?subscriptionId=${ID}&status=failed&limit=3&cursor=a`],
    ]],
  ])("%s passes on %j", async (name, args, requests) => {
    serve({ statistics: { currencies: [], open } });
    await callTool(assistant, name, args);
    expect(sent()).toEqual(requests);
  });

  test("passes a number on with all of its digits", async () => {
    const data = '{"title":"exact","views":12345678901234567890}';
    const params = `{"name":"save_entry_draft","arguments":{"type":"post","data":${data}}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    await assistant.send("POST", "/mcp", { headers: JSON_TYPE, body });
    expect(upstream.recorded[0]?.body.toString()).toContain(data);
  });

  test("sums up the buckets of each currency, and leaves the empty and the oldest ones out", async () => {
    const bucket = { at: "", orders: 1, total: 0.1, paid: 0.2, refunded: 0 };
    const buckets = [...Array(64).fill(bucket), { ...bucket, orders: 0, total: 0, paid: 0 }];
    serve({ statistics: { currencies: [{ currency: "EUR", buckets }], open } });
    const { currencies, open: shown } = await ok("sales_summary", { from: "a", to: "b" });
    expect(currencies).toMatchObject([
      { currency: "EUR", sum: { orders: 64, total: 6.4, paid: 12.8, refunded: 0 }, buckets_omitted: 2 },
    ]);
    expect(shown).toMatchObject({ to_fulfill: 1, to_deliver: 5 });
  });

  test("shows the first lines of an order, and says how many are left out", async () => {
    serve({ order: { ...ORDER, items: Array.from({ length: 60 }, () => line) } });
    const { order } = await ok("get_order", { order_id: ID });
    expect([order.item_count, order.items.length, order.items_omitted]).toEqual([60, 5, 55]);
    const { order: full } = await ok("get_order", { order_id: ID, detail: "full" });
    expect([full.items.length, full.items_omitted]).toEqual([50, 10]);
  });

  test.each([
    ["place_order", { customer_id: ID, items: [{ ...line, unit_price: 1 }] }, "already_placed"],
    ["fulfill_order", { order_id: ID }, "already_done"],
    ["save_customer", { name: "Grace" }, "already_created"],
    ["save_entry_draft", { type: "post", data: {} }, "already_created"],
  ])("%s says that an earlier call with the request_key did it", async (name, args, result) => {
    serve({ isReplay: true });
    expect(await ok(name, { ...args, request_key: "k" })).toMatchObject({ result });
  });

  test.each<[string, object, string[]]>([
    ["save_customer", { name: "a", version: 1 }, ["version"]],
    ["save_entry_draft", { entry_id: ID, type: "post", locale: "en" }, ["type", "locale"]],
    ["refund_order", { order_id: ID, amount: 0 }, ["amount"]],
    ["refund_order", { order_id: ID, amount: 1.00001 }, ["amount"]],
    ["refund_order", { order_id: ID, amount: 12.51 }, ["amount"]],
  ])("%s refuses %j and names the arguments", async (name, args, paths) => {
    serve();
    const { code, details } = await failure(name, args);
    expect([code, details.map(({ path }: { path: string }) => path)]).toEqual(["validation_error", paths]);
  });

  // biome-ignore format: a table is read by its columns.
  test.each([
    ["cancel_order", { status: "placed", paymentStatus: "paid", allowedActions: ["cancel_and_refund"] }, "refund_required"],
    ["cancel_order", { status: "placed", paymentStatus: "paid" }, "invalid_transition"],
    ["cancel_order", { status: "fulfilled", paymentStatus: "unpaid" }, "invalid_transition"],
    ["refund_order", { paymentStatus: "unpaid" }, "order_not_paid"],
    ["refund_order", { paymentStatus: "refunded" }, "nothing_to_refund"],
  ])("%s of an order that is %j is refused with %s", async (name, state, code) => {
    serve({ order: { ...ORDER, allowedActions: [], ...state } });
    expect((await failure(name, { order_id: ID })).code).toBe(code);
  });

  describe("that needs a confirmation", () => {
    const refund = { order_id: ID, amount: 5 };
    const ask = async (args: object = refund, name = "refund_order") => {
      serve();
      const asked = await ok(name, args);
      expect(asked.result).toBe("confirmation_required");
      upstream.recorded.length = 0;
      return asked.confirm as string;
    };

    test("acts with the second call, on the version and the amount that the first one showed", async () => {
      const confirm = await ask({ order_id: ID });
      serve({ order: { ...ORDER, version: 4 } });
      expect(await ok("refund_order", { order_id: ID, reason: "broken", confirm })).toMatchObject({
        ...{ result: "done", amount: 12.5, currency: "EUR" },
      });
      const extra = { key: `mcp-confirm:${confirm}`, ifMatch: '"3"' };
      const refunded = [`POST /v1/orders/${ID}/refund`, { amount: 12.5, reason: "broken" }, extra];
      expect(sent()).toEqual([refunded]);
    });

    test.each<[string, object, object, number | undefined]>([
      ["cancel", {}, { reason: "out of stock" }, undefined],
      ["cancel_and_refund", { refund: true }, {}, 12.5],
    ])("cancels an order that allows %s with %j, and then %j", async (action, args, more, refunded) => {
      serve({ order: { ...ORDER, allowedActions: [action] } });
      const { confirm, amount } = await ok("cancel_order", { order_id: ID, ...args });
      expect(amount).toBe(refunded);
      await ok("cancel_order", { order_id: ID, ...args, ...more, confirm });
      expect(sent().at(-1)?.slice(0, 2)).toEqual([`POST /v1/orders/${ID}/cancel`, { ...args, ...more }]);
    });

    // biome-ignore format: a table is read by its columns.
    test.each<[string, Partial<typeof served>, object]>([
      ["asks again if the order has changed", { refusal: { code: "version_mismatch" } }, { result: "confirmation_required" }],
      ["says that an earlier call did it", { isReplay: true }, { result: "already_done" }],
      ["says that an earlier refund had the same reference and amount", {}, { result: "already_done" }],
      ["refuses a confirmation that was used with another reason", { refusal: { code: "idempotency_key_reused" } }, { code: "conflict" }],
    ])("%s", async (_, response, expected) => {
      const confirm = await ask();
      serve(response);
      const { body } = await callTool(assistant, "refund_order", { ...refund, confirm });
      const { structuredContent, content } = body.result;
      expect(structuredContent ?? JSON.parse(content[1].text).error).toMatchObject(expected);
    });
  });

  test("works for a signed-in user, by role", async () => {
    const me = await ok("whoami", {}, tenant.owner);
    expect(me).toMatchObject({ actor: { type: "user", role: "owner" }, scopes: [], missing: [] });
    expect(me.tenant).toMatchObject({ currency: "USD", time_zone: "UTC", locale: "en" });
  });
});
