// A day of an integrator with webhooks: secrets that are rotated while a receiver works, events in order, the log of
// deliveries, and everything that has to be repeated. The receiver is a real HTTPS server.
import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type Received, type Receiver, startReceiver, testCertificate, until } from "@tradepost/testing";
import { Webhook } from "standardwebhooks";
import { expectFailure } from "./support/expect-failure.ts";
import { allPages, dataOf, sendJson, TIME, UUID_V7 } from "./support/integrator.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const ATTEMPTS = 3;
const SCHEDULE = "100ms,100ms";
const SUBSCRIPTIONS = "/v1/webhooks/subscriptions";
const DELIVERIES = "/v1/webhooks/deliveries";

type Json = Record<string, unknown>;

describe("an integrator's day with webhooks", () => {
  let platform: TestPlatform;
  let receiver: Receiver;
  let tenant: TestTenant;
  beforeAll(async () => {
    [platform, receiver] = await Promise.all([
      startTestPlatform({ WEBHOOKS_RETRY_SCHEDULE: SCHEDULE }),
      testCertificate().then((tls) => startReceiver(tls)),
    ]);
    tenant = await platform.createTenant();
    const fields = [{ key: "title", type: "text", required: true }];
    dataOf(await tenant.owner.put("/v1/content-types/post", { name: "Post", fields }), 201);
  });
  beforeEach(() => receiver.behave(() => 200));
  afterAll(async () => {
    await receiver.stop();
    await platform.stop();
  });

  /** Each has a path of its own at the receiver. */
  const subscribe = async (events: string[], fields: Json = {}) => {
    const path = `/${randomUUID()}`;
    const body = { name: "Mine", url: `${receiver.url}${path}`, events, ...fields };
    return { path, ...dataOf(await tenant.owner.post(SUBSCRIPTIONS, body), 201) };
  };
  const unsubscribe = async ({ id }: { id: string }) =>
    dataOf(await tenant.owner.delete(`${SUBSCRIPTIONS}/${id}`), 200);
  const read = async (path: string) => dataOf(await tenant.key.get(path), 200);
  const addRedirect = async () =>
    dataOf(await tenant.key.post("/v1/redirects", { from: `/${randomUUID()}`, to: "/new" }), 201);
  const arrived = (path: string) => receiver.received.filter((request) => request.path === path);
  const settled = (id: string, status: string) =>
    until(`the delivery to be ${status}`, async () => {
      const delivery = await read(`${DELIVERIES}/${id}`);
      return delivery.status === status && delivery;
    });
  const deliveryOf = (subscription: { id: string }, status: string) =>
    until(`a delivery that is ${status}`, async () => {
      const [delivery] = await read(`${DELIVERIES}?subscriptionId=${subscription.id}&status=${status}`);
      return delivery;
    });
  const rotate = ({ id }: { id: string }, body: Json = {}, headers: Record<string, string> = {}) =>
    tenant.owner.post(`${SUBSCRIPTIONS}/${id}/rotate-secret`, body, headers);

  describe("a signing secret", () => {
    test("that the receiver still uses is not ended by a second rotation", async () => {
      const subscription = await subscribe(["redirect.added"]);
      const { path, id, signingSecret: first } = subscription;
      expect((await read(`${SUBSCRIPTIONS}/${id}`)).previousSecretUntil).toBeNull();
      const rotated = dataOf(await rotate(subscription), 200);
      const { signingSecret: second, previousSecretUntil } = rotated;
      expect(second).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(previousSecretUntil).toMatch(TIME);
      const { signingSecret: _, ...rest } = rotated;
      expect(await read(`${SUBSCRIPTIONS}/${id}`)).toMatchObject({ ...rest, previousSecretUntil });
      expectFailure(await rotate(subscription), 409, "rotation_in_progress");
      expectFailure(await rotate(subscription, { overlapHours: 0 }), 409, "rotation_in_progress");

      await addRedirect();
      const hook = await receiver.waitFor("the webhook", (request) => request.path === path);
      expect(hook.headers["x-service-signature"]).toBe(sign(hook, second));
      expect(hook.headers["x-service-signature-previous"]).toBe(sign(hook, first));
      for (const secret of [first, second]) expectStandard(hook, secret);

      const forced = dataOf(await rotate(subscription, { force: true, overlapHours: 1 }), 200);
      await addRedirect();
      const next = await until("the next webhook", () => arrived(path)[1]);
      expect(next.headers["x-service-signature"]).toBe(sign(next, forced.signingSecret));
      expect(next.headers["x-service-signature-previous"]).toBe(sign(next, second));
      await unsubscribe(subscription);
    });

    test("is rotated once by a request that is repeated after a timeout, which does not show it again", async () => {
      const subscription = await subscribe(["redirect.added"]);
      const key = { "idempotency-key": `rotate-${subscription.id}` };
      const rotated = dataOf(await rotate(subscription, { overlapHours: 2 }, key), 200);
      const again = await rotate(subscription, { overlapHours: 2 }, key);
      expect(dataOf(again, 200)).toEqual({ ...rotated, signingSecret: null });
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect((await read(`${SUBSCRIPTIONS}/${subscription.id}`)).version).toBe(rotated.version);
      await unsubscribe(subscription);
    });

    test("ends at once without an overlap, and may be rotated again", async () => {
      const subscription = await subscribe(["redirect.added"]);
      expectFailure(await rotate(subscription, { overlapHours: 169 }), 422, "validation_error", [
        "overlapHours",
      ]);
      dataOf(await rotate(subscription, { overlapHours: 0 }), 200);
      const { signingSecret } = dataOf(await rotate(subscription, { overlapHours: 0 }), 200);
      expect((await read(`${SUBSCRIPTIONS}/${subscription.id}`)).previousSecretUntil).toBeNull();
      await addRedirect();
      const hook = await receiver.waitFor("the webhook", ({ path }) => path === subscription.path);
      expect(hook.headers["x-service-signature"]).toBe(sign(hook, signingSecret));
      expect(hook.headers["x-service-signature-previous"]).toBeUndefined();
      await unsubscribe(subscription);
    });
  });

  describe("a receiver that gets events in any order", () => {
    test("can put an entry's publication, end and deletion in order", async () => {
      const types = ["content.entry.published", "content.entry.unpublished", "content.entry.deleted"];
      const subscription = await subscribe(types);
      const created = await tenant.key.post("/v1/entries", { type: "post", data: { title: "Short life" } });
      const { id } = dataOf(created, 201);
      dataOf(await tenant.key.post(`/v1/entries/${id}/publish`), 200);
      dataOf(await tenant.key.delete(`/v1/entries/${id}`), 200);
      await until("three webhooks", () => arrived(subscription.path).length === 3);
      const inOrder = (keyOf: (hook: Received) => string) =>
        arrived(subscription.path)
          .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
          .map(({ headers }) => headers["x-service-event"]);
      const time = ({ headers }: Received) =>
        `${headers["x-service-event-time"]} ${headers["x-service-event-id"]}`;
      expect(inOrder(time)).toEqual(types);
      const updatedAt = (hook: Received) => bodyOf(hook).data.entry.updatedAt;
      expect(inOrder(updatedAt)).toEqual(types);
      expect(new Set(arrived(subscription.path).map(updatedAt)).size).toBe(3);
      const feed = await until("the events in the feed", async () => {
        const events = await read(`/v1/content/events?types=${types}&limit=100`);
        return events.length >= types.length && events;
      });
      expect(feed.map(({ type }: Json) => type)).toEqual(types);
      expect(feed.map((event: { id: string }) => event.id).sort()).toEqual(
        arrived(subscription.path)
          .map(({ headers }) => headers["x-service-event-id"])
          .sort(),
      );
      await unsubscribe(subscription);
    });

    test("knows one event by its id, whatever the subscription and the attempt", async () => {
      const [one, other] = [await subscribe(["redirect.removed"]), await subscribe(["redirect.removed"])];
      receiver.behave(() => (arrived(one.path).length + arrived(other.path).length < 3 ? 503 : 200));
      const redirect = await addRedirect();
      dataOf(await tenant.key.delete(`/v1/redirects/${redirect.id}`), 200);
      const delivered = await Promise.all([one, other].map((each) => deliveryOf(each, "delivered")));
      const hooks = [...arrived(one.path), ...arrived(other.path)];
      expect(hooks.length).toBeGreaterThan(2);
      expect(new Set(hooks.map(({ headers }) => headers["x-service-event-id"]))).toEqual(
        new Set([delivered[0]?.eventId]),
      );
      const [time] = new Set(hooks.map(({ headers }) => headers["x-service-event-time"]));
      expect(time).toMatch(TIME);
      for (const { id, eventId } of delivered) expect(timeOf(id)).toBe(timeOf(eventId));
      expect(new Set(hooks.map(({ headers }) => headers["x-service-event-time"])).size).toBe(1);
      expect(new Set(hooks.map(({ headers }) => headers["x-service-delivery"]))).toEqual(
        new Set(delivered.map(({ id }) => id)),
      );
      expect(new Set(delivered.map(({ id }) => id)).size).toBe(2);
      for (const hook of hooks) {
        expect(Object.keys(bodyOf(hook))).toEqual(["id", "type", "tenant_id", "data", "delivered_at"]);
        expect(hook.headers["webhook-id"]).toBe(bodyOf(hook).id);
      }
      await unsubscribe(one);
      await unsubscribe(other);
    });
  });

  describe("the log of deliveries", () => {
    test("is searched by event, time and result", async () => {
      const good = await subscribe(["redirect.added"]);
      const bad = await subscribe(["redirect.added"]);
      receiver.behave(({ path }) => (path === bad.path ? 418 : 200));
      await addRedirect();
      const delivered = await deliveryOf(good, "delivered");
      const failed = await deliveryOf(bad, "failed");
      const gone = await subscribe(["redirect.added"], { url: "https://localhost:1/hooks" });
      await addRedirect();
      const refused = await deliveryOf(gone, "failed");
      const mine = [delivered.id, failed.id, refused.id];
      const found = async (query: string) =>
        (await allPages(tenant.key, `${DELIVERIES}?limit=50&${query}`))
          .map(({ id }) => id)
          .filter((id) => mine.includes(id))
          .sort();
      const both = [delivered.id, failed.id].sort();
      for (const [query, expected] of [
        [`eventId=${delivered.eventId}`, both],
        [`eventId=${delivered.eventId}&status=failed`, [failed.id]],
        ["statusCode=418", [failed.id]],
        [`statusCode=200&subscriptionId=${good.id}`, [delivered.id]],
        ["outcome=http_status", [failed.id]],
        ["outcome=connection_refused", [refused.id]],
        [`outcome=delivered&eventId=${delivered.eventId}`, [delivered.id]],
        [`createdAfter=${refused.createdAt}`, [refused.id]],
        [`createdBefore=${refused.createdAt}`, both],
        ["type=redirect.removed", []],
      ] as const) {
        expect([query, await found(query)]).toEqual([query, [...expected]]);
      }
      for (const [query, path] of [
        ["outcome=lost", "outcome"],
        ["statusCode=abc", "statusCode"],
        ["createdAfter=yesterday", "createdAfter"],
        ["status=lost", "status"],
      ] as const) {
        expectFailure(await tenant.key.get(`${DELIVERIES}?${query}`), 422, "validation_error", [path]);
      }
      await Promise.all([good, bad, gone].map(unsubscribe));
    });

    test("shows rounds, and the latest request byte for byte without its signatures", async () => {
      const subscription = await subscribe(["redirect.added"], { headers: { Authorization: "Bearer deep" } });
      receiver.behave(() => 500);
      await addRedirect();
      const { id } = await deliveryOf(subscription, "failed");
      expect(dataOf(await tenant.owner.post(`${DELIVERIES}/${id}/redeliver`), 202).id).toBe(id);
      await until("six attempts", () => arrived(subscription.path).length === 2 * ATTEMPTS);
      await settled(id, "failed");
      receiver.behave(() => 200);
      dataOf(await tenant.owner.post(`${DELIVERIES}/${id}/redeliver`), 202);
      const delivery = await settled(id, "delivered");
      const rounds = delivery.attempts.map(({ round, attempt }: Json) => `${round}.${attempt}`);
      expect(rounds.sort()).toEqual(["1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "3.1"]);
      const last = arrived(subscription.path).at(-1);
      expect(last?.headers["x-service-attempt"]).toBe("1");
      const { request } = delivery;
      expect(request.url).toBe(`${receiver.url}${subscription.path}`);
      expect(request.body).toBe(last?.body.toString());
      expect(JSON.stringify(delivery)).not.toContain("deep");
      const shown = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      expect(shown).toMatchObject({
        "content-type": "application/json",
        "x-service-event": "redirect.added",
        "x-service-delivery": id,
        "x-service-attempt": "1",
        "x-service-event-id": delivery.eventId,
        "webhook-id": id,
        authorization: "•••",
      });
      expect(Object.keys(shown).filter((name) => name.includes("signature"))).toEqual([]);
      expect(last?.headers).toMatchObject({ authorization: "Bearer deep" });
      await unsubscribe(subscription);
    });
  });

  test("an event says why nothing arrived", async () => {
    const matched = await subscribe(["redirect.added"], { name: "Matched" });
    const other = await subscribe(["media.uploaded"], { name: "Other" });
    const paused = await subscribe(["redirect.added"], { name: "Paused" });
    dataOf(await tenant.owner.patch(`${SUBSCRIPTIONS}/${paused.id}`, { active: false }), 200);
    const listed = async (active: boolean) =>
      (await read(`${SUBSCRIPTIONS}?active=${active}`)).map(({ id }: Json) => id);
    expect(await listed(false)).toEqual([paused.id]);
    expect(await listed(true)).toEqual([other.id, matched.id]);
    const redirect = await addRedirect();
    await deliveryOf(matched, "delivered");
    const later = await subscribe(["redirect.added"], { name: "Later" });

    const [event, ...more] = await read(`/v1/webhooks/events?resourceId=${redirect.id}&type=redirect.added`);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      id: expect.stringMatching(UUID_V7),
      type: "redirect.added",
      resourceId: redirect.id,
      occurredAt: expect.stringMatching(TIME),
      requestId: expect.any(String),
    });
    const statuses = new Map(
      event.deliveries.map(({ subscriptionId, status }: Json) => [subscriptionId, status] as const),
    );
    expect(statuses).toEqual(
      new Map([
        [matched.id, "delivered"],
        [paused.id, "paused"],
      ]),
    );
    const { data, subscriptions } = await read(`/v1/webhooks/events/${event.id}`);
    expect(data).toEqual({ redirect: { ...redirect, version: 1 } });
    const why = new Map(subscriptions.map((each: { name: string }) => [each.name, each] as const));
    expect(why.get("Matched")).toEqual({
      subscriptionId: matched.id,
      name: "Matched",
      matched: true,
      reason: null,
      deliveryId: expect.stringMatching(UUID_V7),
    });
    expect(why.get("Other")).toMatchObject({
      matched: false,
      reason: "type_not_subscribed",
      deliveryId: null,
    });
    expect(why.get("Paused")).toMatchObject({ matched: true, reason: null });
    expect(why.get("Later")).toMatchObject({ matched: false, reason: "created_later", deliveryId: null });

    expect(
      await read(`/v1/webhooks/events?createdBefore=${event.occurredAt}&resourceId=${redirect.id}`),
    ).toEqual([]);
    expect(
      await read(`/v1/webhooks/events?createdAfter=${event.occurredAt}&resourceId=${redirect.id}`),
    ).toHaveLength(1);
    const stranger = await platform.createTenant();
    expectFailure(await stranger.key.get(`/v1/webhooks/events/${event.id}`), 404, "not_found");

    dataOf(await tenant.owner.patch(`${SUBSCRIPTIONS}/${paused.id}`, { active: true }), 200);
    await receiver.waitFor("what waited", ({ path }) => path === paused.path);
    await Promise.all([matched, other, paused, later].map(unsubscribe));
  });

  describe("a subscription's own headers", () => {
    test("are sent with every attempt, and shown to nobody", async () => {
      const headers = { Authorization: "Bearer s3cret-1", "X-Tenant": "s3cret-2" };
      const subscription = await subscribe(["redirect.added"], { headers });
      const masked = { Authorization: "•••", "X-Tenant": "•••" };
      expect(subscription.headers).toEqual(masked);
      const path = `${SUBSCRIPTIONS}/${subscription.id}`;
      expect((await read(path)).headers).toEqual(masked);
      receiver.behave(() => (arrived(subscription.path).length === 1 ? 500 : 200));
      await addRedirect();
      await until("two attempts", () => arrived(subscription.path).length === 2);
      for (const hook of arrived(subscription.path)) {
        expect(hook.headers).toMatchObject({ authorization: "Bearer s3cret-1", "x-tenant": "s3cret-2" });
      }
      const changed = await tenant.owner.patch(path, { headers: { Authorization: "•••", "X-New": "new" } });
      expect(dataOf(changed, 200).headers).toEqual({ Authorization: "•••", "X-New": "•••" });
      await addRedirect();
      const hook = await until("the next webhook", () => arrived(subscription.path)[2]);
      expect(hook.headers).toMatchObject({ authorization: "Bearer s3cret-1", "x-new": "new" });
      expect(hook.headers["x-tenant"]).toBeUndefined();
      const log = await tenant.owner.get("/v1/audit-log?limit=100");
      expect(`${log.text} ${changed.text}`).not.toContain("s3cret");
      await unsubscribe(subscription);
    });

    test.each([
      "Host",
      "connection",
      "Transfer-Encoding",
      "User-Agent",
      "Content-Type",
      "content-x",
      "X-Service-Event",
      "webhook-id",
      "not a token",
      "x".repeat(65),
    ])("cannot be %s", async (name) => {
      const url = `${receiver.url}/never`;
      const body = { name: "N", url, events: ["redirect.added"], headers: { [name]: "value" } };
      const response = await tenant.owner.post(SUBSCRIPTIONS, body);
      expectFailure(response, 422, "validation_error");
      for (const { path } of response.body.error.details) expect(path).toMatch(/^headers/);
    });

    test("have values that a header can have, and no name twice", async () => {
      const url = `${receiver.url}/never`;
      for (const headers of [
        { "X-A": "line\nbreak" },
        { "X-A": "ü" },
        { "X-A": "x".repeat(1025) },
        { "X-A": "1", "x-a": "2" },
        Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, "1"])),
      ]) {
        const response = await tenant.owner.post(SUBSCRIPTIONS, {
          name: "N",
          url,
          events: ["redirect.added"],
          headers,
        });
        expect([headers, response.status]).toEqual([headers, 422]);
      }
    });
  });

  test("a recovery sends what failed, once, and can be read again", async () => {
    const subscription = await subscribe(["redirect.added"]);
    const path = `${SUBSCRIPTIONS}/${subscription.id}/recover`;
    receiver.behave(() => 500);
    const since = (await addRedirect()).createdAt;
    await addRedirect();
    const failed = await until("two failures", async () => {
      const list = await read(`${DELIVERIES}?subscriptionId=${subscription.id}&status=failed`);
      return list.length === 2 && list;
    });
    receiver.behave(() => 200);
    expect(dataOf(await tenant.owner.post(path, { since, dryRun: true }), 202)).toMatchObject({
      matched: 2,
      requeued: 0,
    });
    const key = { "idempotency-key": "recover-1" };
    const recovery = await tenant.owner.post(path, { since }, key);
    const { id, matched } = dataOf(recovery, 202);
    expect(matched).toBe(2);
    expect((await tenant.owner.post(path, { since }, key)).text).toBe(recovery.text);
    const finished = await until("the recovery", async () => {
      const progress = await read(`/v1/webhooks/recoveries/${id}`);
      return progress.finishedAt !== null && progress;
    });
    expect(finished).toEqual({
      id,
      subscriptionId: subscription.id,
      since,
      until: expect.stringMatching(TIME),
      matched: 2,
      requeued: 2,
      createdAt: expect.stringMatching(TIME),
      finishedAt: expect.stringMatching(TIME),
    });
    for (const delivery of failed) await settled(delivery.id, "delivered");
    expect(arrived(subscription.path)).toHaveLength(2 * ATTEMPTS + 2);
    expect(dataOf(await tenant.owner.post(path, { since }), 202)).toMatchObject({ matched: 0, requeued: 0 });
    const stranger = await platform.createTenant();
    expectFailure(await stranger.key.get(`/v1/webhooks/recoveries/${id}`), 404, "not_found");
    await unsubscribe(subscription);
  });

  test("a test event has any subscribable type, for this subscription only", async () => {
    const subscription = await subscribe(["redirect.added"]);
    const bystander = await subscribe(["media.processed"]);
    const path = `${SUBSCRIPTIONS}/${subscription.id}/test`;
    const types = (await read("/v1/webhooks/event-types")).map(({ type }: Json) => type);
    expect(types).toHaveLength(10);
    const { id } = dataOf(await tenant.owner.post(path, { type: "media.processed" }), 202);
    const hook = await receiver.waitFor("the example", (request) => request.path === subscription.path);
    expect(bodyOf(hook)).toMatchObject({ id, type: "media.processed", data: { test: true } });
    expectFailure(await tenant.owner.post(path, { type: "order.placed" }), 422, "validation_error", ["type"]);
    expect(arrived(bystander.path)).toEqual([]);
    await Promise.all([subscription, bystander].map(unsubscribe));
  });

  test("a repeated POST happens once, and never shows a secret again", async () => {
    const url = `${receiver.url}/once`;
    const key = { "idempotency-key": "subscribe-once" };
    const body = { name: "Once", url, events: ["redirect.added"] };
    const created = dataOf(await tenant.owner.post(SUBSCRIPTIONS, body, key), 201);
    const again = await tenant.owner.post(SUBSCRIPTIONS, body, key);
    expect(dataOf(again, 201)).toEqual({ ...created, signingSecret: null });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const reused = await tenant.owner.post(SUBSCRIPTIONS, { ...body, name: "Twice" }, key);
    expect([reused.status, reused.body.error.code]).toEqual([422, "idempotency_key_reused"]);
    const named = (await read(SUBSCRIPTIONS)).filter(({ name }: Json) => name === "Once");
    expect(named).toHaveLength(1);

    const path = `${SUBSCRIPTIONS}/${created.id}/test`;
    const first = await tenant.owner.post(path, {}, key);
    const delivery = dataOf(first, 202);
    expect((await tenant.owner.post(path, {}, key)).text).toBe(first.text);
    await settled(delivery.id, "delivered");
    const redeliver = `${DELIVERIES}/${delivery.id}/redeliver`;
    const redelivered = await tenant.owner.post(redeliver, undefined, key);
    expect((await tenant.owner.post(redeliver, undefined, key)).text).toBe(redelivered.text);
    await until("both", async () => (await settled(delivery.id, "delivered")).attempts.length === 2);
    expect(arrived("/once")).toHaveLength(2);
    await unsubscribe(created);
  });

  test("a change of what somebody else has changed is 412, but health never makes a GET 304", async () => {
    const subscription = await subscribe(["redirect.added"]);
    const path = `${SUBSCRIPTIONS}/${subscription.id}`;
    const stale = { "if-match": '"99"' };
    for (const [method, target, body] of [
      ["PATCH", path, { name: "New" }],
      ["POST", `${path}/rotate-secret`, {}],
      ["POST", `${path}/test`, {}],
      ["POST", `${path}/recover`, { since: subscription.createdAt }],
      ["DELETE", path, undefined],
    ] as const) {
      const response = await sendJson(tenant.owner, method, target, body, stale);
      expectFailure(response, 412, "version_mismatch");
      expect(response.headers.get("etag")).toBe(`"${subscription.version}"`);
    }
    const current = { "if-match": `"${subscription.version}"` };
    const patched = await sendJson(tenant.owner, "PATCH", path, { name: "New" }, current);
    const { version } = dataOf(patched, 200);
    expect(version).toBe(subscription.version + 1);
    expect(patched.headers.get("etag")).toBe(`"${version}"`);
    expect((await tenant.key.get(path, { "if-none-match": `"${version}"` })).status).toBe(200);
    const removed = await sendJson(tenant.owner, "DELETE", path, undefined, { "if-match": `"${version}"` });
    expect(dataOf(removed, 200)).toEqual({ id: subscription.id, deleted: true });
  });

  test("a PATCH that changes nothing is not in the audit log", async () => {
    const subscription = await subscribe(["redirect.added"]);
    const path = `${SUBSCRIPTIONS}/${subscription.id}`;
    for (const body of [{}, { name: "Mine" }, { active: true, events: ["redirect.added"] }]) {
      const same = dataOf(await tenant.owner.patch(path, body), 200);
      expect(same.version).toBe(subscription.version);
    }
    dataOf(await tenant.owner.patch(path, { name: "Renamed" }), 200);
    const actions = () =>
      tenant.owner
        .get(`/v1/audit-log?targetId=${subscription.id}`)
        .then(({ body }) => body.data.map(({ action }: Json) => action));
    await until("the change in the audit log", async () => (await actions()).length >= 2);
    expect(await actions()).toEqual(["webhook_subscription.updated", "webhook_subscription.created"]);
    await unsubscribe(subscription);
  });
});

function sign({ body }: Received, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** The time in an id: its first 48 bits. */
function timeOf(id: string): string {
  return new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toISOString();
}

/** Throws unless the delivery verifies as Standard Webhooks. */
function expectStandard({ body, headers }: Received, secret: string): void {
  new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
}

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
function bodyOf({ body }: Received): any {
  return JSON.parse(body.toString());
}
