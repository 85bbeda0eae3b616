// From a request to a webhook: an order becomes an event on the exchange. A redirect becomes a signed webhook, which an
// independent library and the client verify. A delivery that fails eight times is in webhooks.dead.
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type BodyOf, createClient, type Tradepost } from "@tradepost/client";
import { verifyWebhook } from "@tradepost/client/webhooks";
import { eventData } from "@tradepost/event-catalog";
import { createLogger } from "@tradepost/runtime";
import {
  captureMessages,
  type Receiver,
  readMetrics,
  startReceiver,
  testCertificate,
  until,
} from "@tradepost/testing";
import { Webhook } from "standardwebhooks";
import { startTestPlatform, type TestPlatform, type TestTenant } from "../support/test-platform.ts";

type Events = BodyOf<"createSubscription">["events"];

const SCHEDULE = "100ms,100ms,150ms,150ms,200ms,200ms,250ms";

describe("from the HTTP request to the delivered webhook", () => {
  let platform: TestPlatform;
  let receiver: Receiver;
  let tenant: TestTenant;
  let key: Tradepost;
  let owner: Tradepost;

  beforeAll(async () => {
    [platform, receiver] = await Promise.all([
      startTestPlatform(
        { WEBHOOKS_RETRY_SCHEDULE: SCHEDULE },
        createLogger("test", "info", (line) => void log.push(line)),
      ),
      testCertificate().then((tls) => startReceiver(tls)),
    ]);
    tenant = await platform.createTenant();
    ({ key, owner } = clientsOf(tenant));
  });

  const log: string[] = [];
  const clientsOf = ({ apiKey, ownerToken: token }: TestTenant) => ({
    key: createClient({ url: platform.url, apiKey }),
    owner: createClient({ url: platform.url, token }),
  });
  const subscribe = async (who: Tradepost, path: string, event: Events[number]) =>
    await who.subscriptions.create({ name: path, url: `${receiver.url}${path}`, events: [event] });

  afterAll(async () => {
    await receiver.stop();
    await platform.stop();
  });

  test("the largest delivery has no more bytes than the guide says", async () => {
    const guide = readFileSync(new URL("../../docs/receiving-webhooks.md", import.meta.url), "utf8");
    const stated = Number(/at most ([\d,]+) bytes/.exec(guide)?.[1]?.replaceAll(",", ""));
    await owner.contentTypes.put("large", {
      name: "Large",
      fields: ["title", "first", "second"].map((field) => ({ key: field, type: "text", required: false })),
    });
    await subscribe(owner, "/large", "content.entry.updated");
    const MEBIBYTE = 1024 * 1024;
    const first = "x".repeat(MEBIBYTE);
    const { id } = await key.entries.create({ type: "large", slug: "s".repeat(200), data: { first } });
    // Exactly 2 MiB with the names of the fields.
    const second = "x".repeat(MEBIBYTE - '{"first":"","second":""}'.length);
    await expect(key.entries.update(id, { data: { second: `${second}x` } })).rejects.toMatchObject({
      status: 422,
      details: [{ path: "data", message: expect.stringContaining("2 MiB") }],
    });
    await key.entries.update(id, { data: { second } });
    const { body } = await receiver.waitFor("the largest delivery", ({ path }) => path === "/large");
    expect(body.length).toBeGreaterThan(2 * MEBIBYTE);
    expect(body.length).toBeLessThanOrEqual(stated);
  });

  test("an order is stored and its event published", async () => {
    const captured = await captureMessages(platform.broker.amqpUrl, "order.#");
    const placed = await tenant.key.post(
      "/v1/orders",
      {
        customerId: tenant.customerId,
        items: [
          { sku: "A-1", name: "Mug", quantity: 3, unitPrice: 19.99, taxAmount: 1.2 },
          { sku: "B-1", name: "Sticker", unitPrice: 0.3333 },
        ],
        shippingTotal: 4.5,
        discountTotal: 10,
        internalNote: "call before delivery",
        metadata: { source: "test", big: 1 },
      },
      { "x-request-id": "story-1" },
    );
    expect(placed.status).toBe(201);
    expect(placed.headers.get("location")).toBe(`/v1/orders/${placed.body.data.id}`);
    expect(placed.headers.get("x-request-id")).toBe("story-1");
    expect(placed.body.data).toMatchObject({
      orderNumber: "1001",
      status: "placed",
      paymentStatus: "unpaid",
      channel: "admin",
      currency: "USD",
      subtotal: 60.3033,
      taxTotal: 1.2,
      total: 56.0033,
      internalNote: "call before delivery",
      metadata: { source: "test", big: 1 },
    });

    const read = await tenant.key.get(`/v1/orders/${placed.body.data.id}`);
    expect(read.body.data).toEqual(placed.body.data);

    const event = await until("the event", () => captured.messages[0]);
    expect(event.fields.routingKey).toBe("order.placed");
    expect(event.properties).toMatchObject({
      deliveryMode: 2,
      contentType: "application/json",
      type: "order.placed",
    });
    expect(event.properties.headers).toMatchObject({ tenant_id: tenant.tenantId });
    const body = JSON.parse(event.content.toString());
    expect(body).toMatchObject({
      id: event.properties.messageId,
      type: "order.placed",
      tenant_id: tenant.tenantId,
      request_id: "story-1",
      actor: { type: "api_key", name: "Test key" },
    });
    const { internalNote: _, ...shown } = placed.body.data;
    expect(body.data).toEqual({ order: shown });
    expect(eventData["order.placed"]?.schema.parse(body.data)).toEqual(body.data);
    await captured.stop();
  });

  test("a redirect becomes a signed webhook that verifies over the raw bytes", async () => {
    receiver.behave(() => 200);
    const { id, signingSecret: secret } = await subscribe(owner, "/hooks", "redirect.added");
    if (secret === null) throw new Error("the secret is missing");
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const redirect = await key.redirects.create({ from: "/old/", to: "/new" });
    const hook = await receiver.waitFor("the webhook", ({ path }) => path === "/hooks");

    expect(hook.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Tradepost-Webhooks/1",
      "x-service-event": "redirect.added",
      "x-service-attempt": "1",
    });
    expect(hook.headers["x-service-signature"]).toBe(
      `sha256=${createHmac("sha256", secret).update(hook.body).digest("hex")}`,
    );
    const verified = new Webhook(secret).verify(hook.body.toString(), hook.headers as Record<string, string>);
    expect(verified).toEqual({
      id: hook.headers["x-service-delivery"],
      type: "redirect.added",
      tenant_id: tenant.tenantId,
      data: { redirect: { ...redirect, version: 1 } },
      delivered_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });

    expect(await verifyWebhook(secret, hook.headers, hook.body)).toEqual(verified);

    const delivery = await until("the log", async () => {
      const logged = await key.deliveries.get(String(hook.headers["x-service-delivery"]));
      return logged.status === "delivered" && logged;
    });
    expect(delivery).toMatchObject({ attemptCount: 1, nextAttemptAt: null, type: "redirect.added" });
    expect(delivery.attempts).toMatchObject([
      { attempt: 1, outcome: "delivered", statusCode: 200, responseBody: "answered 200" },
    ]);
    await owner.subscriptions.delete(id);
  });

  test("after eight failed attempts the delivery is failed and in webhooks.dead", async () => {
    receiver.behave(() => 500);
    const { id: subscriptionId } = await subscribe(owner, "/broken", "redirect.removed");
    const redirect = await key.redirects.create({ from: "/gone", to: "/new" });
    await key.redirects.delete(redirect.id);
    const failed = await until("the failed delivery", async () => {
      const { data } = await key.deliveries.list({ subscriptionId, status: "failed" }).page();
      return data[0];
    });
    const attempts = receiver.received.filter(({ path }) => path === "/broken");
    expect(attempts.map(({ headers }) => headers["x-service-attempt"])).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
      "8",
    ]);
    expect(new Set(attempts.map(({ headers }) => headers["x-service-delivery"]))).toEqual(
      new Set([failed.id]),
    );
    const dead = await until("the dead letter", async () => {
      const queue = (await platform.broker.manage("POST", "/queues/webhooks.dead/get", {
        count: 10,
        ackmode: "ack_requeue_true",
        encoding: "auto",
      })) as { payload: string }[];
      return queue.length > 0 && queue;
    });
    expect(dead.map(({ payload }) => JSON.parse(payload))).toMatchObject([
      { delivery_id: failed.id, tenant_id: tenant.tenantId, attempts: 8, reason: "http_status 500" },
    ]);
    const { health } = await key.subscriptions.get(subscriptionId);
    expect(health).toMatchObject({
      status: "failing",
      consecutiveFailures: 8,
      lastError: "http_status 500",
    });
  });

  test("one trace id runs from the request to the log line of every attempt", async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    let failures = 0;
    receiver.behave(() => {
      failures += 1;
      return failures <= 2 ? 500 : 200;
    });
    const traced = await platform.createTenant();
    const { id: subscriptionId } = await subscribe(clientsOf(traced).owner, "/traced", "redirect.added");
    const listeners = "/v1/webhooks/listeners";
    const listener = (await traced.owner.post(listeners, { events: ["redirect.added"] })).body.data;
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const redirect = { from: "/traced", to: "/new" };
    expect((await traced.key.post("/v1/redirects", redirect, { traceparent })).status).toBe(201);
    const delivery = await until("the delivery", async () => {
      const page = await clientsOf(traced)
        .key.deliveries.list({ subscriptionId, status: "delivered" })
        .page();
      return page.data[0];
    });
    // The event is read from the table again, as after a restart.
    await traced.owner.post(`/v1/webhooks/deliveries/${delivery.id}/redeliver`);
    const leased = (await traced.owner.post(`${listeners}/${listener.id}/lease`, { waitSeconds: 5 })).body
      .data[0];
    const result = { attempt: 1, statusCode: 200, responseBody: "", durationMs: 1 };
    const reported = `${listeners}/${listener.id}/deliveries/${leased.deliveryId}/result`;
    expect((await traced.owner.post(reported, result)).status).toBe(200);

    type Line = { msg: string; traceId?: string; attempt?: number; deliveryId?: string; path?: string };
    const lines = () =>
      log.map((line) => JSON.parse(line) as Line).filter((line) => line.traceId === traceId);
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
    expect(
      metric('http_request_duration_seconds_count{method="POST",route="/v1/redirects",status="201"}'),
    ).toBeGreaterThan(0);
  });

  test("another tenant's event does not arrive", async () => {
    receiver.behave(() => 200);
    const stranger = await platform.createTenant();
    await subscribe(owner, "/mine", "redirect.added");
    await subscribe(clientsOf(stranger).owner, "/theirs", "redirect.added");
    await clientsOf(stranger).key.redirects.create({ from: "/a", to: "/b" });
    await receiver.waitFor("the stranger's webhook", ({ path }) => path === "/theirs");
    // This tenant's event follows the other tenant's in the same queue, so the other would have arrived by now.
    await key.redirects.create({ from: "/a", to: "/b" });
    await receiver.waitFor("our webhook", ({ path }) => path === "/mine");
    const mine = receiver.received
      .filter(({ path }) => path === "/mine")
      .map(({ body }) => JSON.parse(body.toString()));
    expect(mine.map(({ tenant_id }) => tenant_id)).toEqual([tenant.tenantId]);
  });
});
