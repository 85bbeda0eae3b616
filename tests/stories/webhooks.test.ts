// From a request to a webhook: each of ten changes becomes a signed webhook, which an independent library and the client verify and
// which is as the API description says. One trace runs through all services.
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { verifyWebhook } from "@tradepost/client/webhooks";
import { eventData, subscribableTypes } from "@tradepost/event-catalog";
import { createLogger } from "@tradepost/runtime";
import { findWords, type Received, readMetrics, until } from "@tradepost/testing";
import { Webhook } from "standardwebhooks";
import { dataOf } from "../support/data-of.ts";
import { webhookFaults } from "../support/described-webhooks.ts";
import { opsJsonOn } from "../support/run-ops.ts";
import { startTestPlatform } from "../support/test-platform.ts";
import { PNG, upload } from "../support/upload.ts";

const SUBSCRIPTIONS = "/v1/webhooks/subscriptions";
const LISTENERS = "/v1/webhooks/listeners";
const MEBIBYTE = 1024 * 1024;

const log: string[] = [];

const logger = createLogger("test", "info", (line) => void log.push(line));
const settings = {
  WEBHOOKS_RETRY_SCHEDULE: "100ms,100ms,150ms",
  WEBHOOKS_MORE_EVENTS: "order.placed,order.refunded",
};
const platform = await startTestPlatform(settings, logger);
const receiver = await platform.startReceiver();
const tenant = await platform.createTenant();
const fields = ["title", "first", "second"].map((key) => ({ key, type: "text", required: false }));
dataOf(await tenant.owner.put("/v1/content-types/article", { name: "Article", fields }), 201);
afterAll(() => platform.stop());

const subscribe = (path: string, events: readonly string[], more: object = {}, by = tenant) =>
  by.subscribe(receiver.url + path, events, more);
const arrived = (path: string) => receiver.received.filter((request) => request.path === path);
const createEntry = async (data: object, more: object = {}) =>
  dataOf(await tenant.key.post("/v1/entries", { type: "article", data, ...more }), 201);

// The operator offers these types (interface §24).
test("an order that is placed and refunded is sent without its customer, and erasure finds nobody there", async () => {
  const name = "Ottilie Sonderbar";
  await subscribe("/orders", ["order.placed", "order.refunded"]);
  const customer = { name, email: "ottilie@example.com", phone: "+49 731 5550199" };
  const customerId: string = dataOf(await tenant.key.post("/v1/customers", customer), 201).id;
  const wanted = {
    customerId,
    currency: "EUR",
    customerNote: `For ${name}`,
    shippingAddress: { name, line1: "7 Sonderbar Lane", city: "Ulm", country: "DE" },
    items: [{ sku: "A-1", name: "Apron", quantity: 1, unitPrice: 20 }],
  };
  const order = dataOf(await tenant.key.post("/v1/orders", wanted), 201);
  await tenant.key.post(`/v1/orders/${order.id}/payments`, { status: "succeeded", reference: name });
  await tenant.key.post(`/v1/orders/${order.id}/refund`, { reason: `${name} moved away` });
  await until("both", () => arrived("/orders").length === 2);
  const { id, orderNumber, channel, status } = order;
  const thin = { id, orderNumber, channel, status, fulfillment: "none" };
  expect(arrived("/orders").map((hook) => bodyOf(hook).data)).toEqual([
    { order: { ...thin, paymentStatus: "unpaid", version: 1 } },
    { order: { ...thin, paymentStatus: "refunded", version: 3 } },
  ]);
  const searched = platform.databases.webhooks;
  expect(await findWords(searched, [id])).not.toEqual([]);
  expect(await findWords(searched, ["Sonderbar", "ottilie@", "5550199"])).toEqual([]);
  await tenant.owner.post(`/v1/customers/${customerId}/erasure`);
  expect(await opsJsonOn(platform)("verify")).toMatchObject({ faults: [] });
});

test("a subscription to all ten types receives each of the ten changes once", async () => {
  const { id: subscriptionId, signingSecret } = await subscribe("/all", subscribableTypes);
  const entry = await createEntry({ title: "One" });
  const path = `/v1/entries/${entry.id}`;
  dataOf(await tenant.key.patch(path, { data: { title: "Two" } }), 200);
  const publishAt = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
  dataOf(await tenant.key.post(`${path}/schedule`, { publishAt }), 200);
  for (const action of ["publish", "unpublish"]) dataOf(await tenant.key.post(`${path}/${action}`), 200);
  dataOf(await tenant.key.delete(path), 200);
  const media = dataOf(await upload(tenant.key, PNG, "pixel.png"), 201);
  const redirect = dataOf(await tenant.key.post("/v1/redirects", { from: "/old", to: "/new" }), 201);
  dataOf(await tenant.key.delete(`/v1/redirects/${redirect.id}`), 200);

  await until("ten webhooks", () => arrived("/all").length >= 10);
  const received = arrived("/all").map((hook) => ({ hook, body: bodyOf(hook) }));
  expect(received.map(({ body }) => body.type).sort()).toEqual([...subscribableTypes].sort());
  for (const { hook, body } of received) {
    const { headers } = hook;
    const signature = createHmac("sha256", signingSecret).update(hook.body).digest("hex");
    expect(headers["x-service-signature"]).toBe(`sha256=${signature}`);
    new Webhook(signingSecret).verify(hook.body, headers as Record<string, string>);
    expect(await verifyWebhook(signingSecret, headers, hook.body)).toEqual(body);
    expect(webhookFaults(hook)).toEqual([]);
    expect([headers["user-agent"], headers["x-service-attempt"]]).toEqual(["Tradepost-Webhooks/1", "1"]);
    expect(body).toMatchObject({ id: headers["x-service-delivery"], tenant_id: tenant.tenantId });
    const { type, data } = body;
    expect(eventData[type]?.schema.parse(data)).toEqual(data);
    const { id } = data.entry ?? data.media ?? data.redirect ?? { id: "" };
    expect(id).toBe(
      type.startsWith("content.") ? entry.id : type.startsWith("media.") ? media.id : redirect.id,
    );
  }
  dataOf(await tenant.owner.delete(`${SUBSCRIPTIONS}/${subscriptionId}`), 200);
});

test("an example event, and a request signed with two secrets, are as the API description says", async () => {
  const headers = { "X-Gateway-Token": "secret" };
  const { id } = await subscribe("/examples", ["media.processed"], { headers });
  dataOf(await tenant.owner.post(`${SUBSCRIPTIONS}/${id}/rotate-secret`, {}), 200);
  dataOf(await tenant.owner.post(`${SUBSCRIPTIONS}/${id}/test`, {}), 202);
  const request = await receiver.waitFor("the example", ({ path }) => path === "/examples");
  const { "x-gateway-token": own, ...described } = request.headers;
  expect(own).toBe("secret");
  expect(described["x-service-signature-previous"]).toBeDefined();
  expect(webhookFaults({ ...request, headers: described })).toEqual([]);
  // The check detects a header that is not described.
  expect(webhookFaults(request)).toEqual(["the header x-gateway-token is not described"]);
});

test("the largest delivery has no more bytes than the guide says", async () => {
  const guide = readFileSync(new URL("../../docs/receiving-webhooks.md", import.meta.url), "utf8");
  const stated = Number(/at most ([\d,]+) bytes/.exec(guide)?.[1]?.replaceAll(",", ""));
  await subscribe("/large", ["content.entry.updated"]);
  const { id } = await createEntry({ first: "x".repeat(MEBIBYTE) }, { slug: "s".repeat(200) });
  // Exactly 2 MiB with the names of the fields.
  const second = "x".repeat(MEBIBYTE - '{"first":"","second":""}'.length);
  const tooLarge = await tenant.key.patch(`/v1/entries/${id}`, { data: { second: `${second}x` } });
  expect([tooLarge.status, tooLarge.body.error.details]).toEqual([
    422,
    [{ path: "data", message: expect.stringContaining("2 MiB") }],
  ]);
  dataOf(await tenant.key.patch(`/v1/entries/${id}`, { data: { second } }), 200);
  const { body } = await receiver.waitFor("the largest delivery", ({ path }) => path === "/large");
  expect(body.length).toBeGreaterThan(2 * MEBIBYTE);
  expect(body.length).toBeLessThanOrEqual(stated);
});

test("one trace id runs from the request to the log line of every attempt", async () => {
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  receiver.behave(() => (arrived("/traced").length <= 2 ? 500 : 200));
  const traced = await platform.createTenant();
  const { id: subscriptionId } = await subscribe("/traced", ["redirect.added"], {}, traced);
  const listener = dataOf(await traced.owner.post(LISTENERS, { events: ["redirect.added"] }), 201);
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  dataOf(await traced.key.post("/v1/redirects", { from: "/traced", to: "/new" }, { traceparent }), 201);
  const delivery = await until("the delivery", async () => {
    const query = `subscriptionId=${subscriptionId}&status=delivered`;
    return dataOf(await traced.key.get(`/v1/webhooks/deliveries?${query}`), 200)[0];
  });
  // The event is read from the table again, as after a restart.
  dataOf(await traced.owner.post(`/v1/webhooks/deliveries/${delivery.id}/redeliver`), 202);
  const lease = await traced.owner.post(`${LISTENERS}/${listener.id}/lease`, { waitSeconds: 5 });
  const [leased] = dataOf(lease, 200);
  const result = { attempt: 1, statusCode: 200, responseBody: "", durationMs: 1 };
  const reported = `${LISTENERS}/${listener.id}/deliveries/${leased.deliveryId}/result`;
  dataOf(await traced.owner.post(reported, result), 200);

  type Line = { msg: string; traceId?: string; attempt?: number; deliveryId?: string; path?: string };
  const lines = () => log.map((line) => JSON.parse(line) as Line).filter((line) => line.traceId === traceId);
  const attempts = await until("the attempts' lines", () => {
    const found = lines().filter(({ msg }) => msg.endsWith("delivery attempted"));
    return found.length === 5 && found;
  });
  const numbersOf = (id: string) =>
    attempts.filter(({ deliveryId }) => deliveryId === id).map(({ attempt }) => attempt);
  expect(numbersOf(delivery.id)).toEqual([1, 2, 3, 1]);
  expect(numbersOf(leased.deliveryId)).toEqual([1]);
  expect(lines().filter(({ msg }) => msg === "event fanned out")).toHaveLength(1);
  // The lines of the gateway and of the content service.
  const requests = lines().filter(({ msg }) => msg === "request");
  expect(requests.map(({ path }) => path)).toEqual(["/v1/redirects", "/v1/redirects"]);

  const metric = await readMetrics(platform.urls.content);
  const series = 'http_request_duration_seconds_count{method="POST",route="/v1/redirects",status="201"}';
  expect(metric(series)).toBeGreaterThan(0);
});

interface Body {
  readonly type: string;
  readonly data: Record<string, { readonly id: string; readonly updatedAt: string }>;
}

function bodyOf({ body }: Received): Body {
  return JSON.parse(body.toString());
}
