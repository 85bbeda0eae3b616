// An integrator's day through the gateway: the parts that only several services together can show, which are feeds, webhooks and
// keys that change while everything works. The receiver is a real HTTPS server.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import {
  apiClient,
  bearer,
  type Received,
  type Receiver,
  startReceiver,
  testCertificate,
  until,
} from "@tradepost/testing";
import { expectFailure } from "./support/expect-failure.ts";
import { dataOf, sendJson, TIME, UUID_V7 } from "./support/integrator.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

const SUBSCRIPTIONS = "/v1/webhooks/subscriptions";
const MUG = { sku: "MUG", name: "Mug", quantity: 3, unitPrice: 19.99 };
const POST = { name: "Post", fields: [{ key: "title", type: "text", required: true }] };
const BY_KEY = { type: "api_key", id: expect.stringMatching(UUID_V7), name: "Test key" };

type Json = Record<string, unknown>;
type FeedEvent = { id: string; type: string; requestId: string; data: Record<string, Json> };

describe("an integrator's day", () => {
  let platform: TestPlatform;
  let receiver: Receiver;
  let tenant: TestTenant;
  beforeAll(async () => {
    [platform, receiver] = await Promise.all([
      startTestPlatform({ WEBHOOKS_RETRY_SCHEDULE: "100ms,100ms" }),
      testCertificate().then((tls) => startReceiver(tls)),
    ]);
    tenant = await platform.createTenant();
    dataOf(await tenant.owner.put("/v1/content-types/post", POST), 201);
  });
  beforeEach(() => receiver.behave(() => 200));
  afterAll(async () => {
    await receiver.stop();
    await platform.stop();
  });

  const newOrder = () => ({ customerId: tenant.customerId, items: [MUG] });
  /** Creates a subscription, each with its own path at the receiver. */
  const subscribe = async (events: string[]) => {
    const path = `/${randomUUID()}`;
    const body = { name: "Mine", url: `${receiver.url}${path}`, events };
    return { path, ...dataOf(await tenant.owner.post(SUBSCRIPTIONS, body), 201) };
  };
  const arrived = (path: string) => receiver.received.filter((request) => request.path === path);
  const idsOf = (hooks: Received[]) => hooks.map(({ headers }) => headers["x-service-event-id"]);

  /**
   * Reads a feed from a cursor until it has returned `count` events. It may take several reads, because an open transaction on
   * the server delays later events.
   */
  const readFeed = async (client: TestTenant["key"], feed: string, after: string, count: number) => {
    const events: FeedEvent[] = [];
    let cursor = after;
    await until(`${count} events of ${feed}`, async () => {
      const page = await client.get(`${feed}?after=${encodeURIComponent(cursor)}&limit=20&waitSeconds=1`);
      events.push(...dataOf(page, 200));
      cursor = page.body.page.nextCursor;
      return events.length >= count;
    });
    return { events, cursor };
  };
  const endOf = async (client: TestTenant["key"], feed: string) =>
    (await client.get(`${feed}?after=now`)).body.page.nextCursor;

  test("the feed has the orders that are placed while it is read once, with the key and the request", async () => {
    const cursor = await endOf(tenant.key, "/v1/orders/events");
    const placed = new Map<string, string>();
    const worker = async (name: string) => {
      for (let index = 0; index < 4; index++) {
        const requestId = { "x-request-id": `${name}-${index}` };
        const { id } = dataOf(await tenant.key.post("/v1/orders", newOrder(), requestId), 201);
        placed.set(id, requestId["x-request-id"]);
        dataOf(await tenant.key.post(`/v1/orders/${id}/payments`, { status: "succeeded" }), 200);
      }
    };
    const bulk = async (name: string) => {
      const orders = Array.from({ length: 10 }, newOrder);
      const results = await tenant.key.post("/v1/orders/bulk", { orders }, { "x-request-id": name });
      for (const { data } of dataOf(results, 200)) placed.set(data.id, name);
    };
    const [{ events }] = await Promise.all([
      readFeed(tenant.key, "/v1/orders/events", cursor, 3 * 4 * 2 + 10),
      ...["a", "b", "c"].map(worker),
      bulk("bulk"),
    ]);
    const firsts = events.filter(({ type }) => type === "order.placed");
    expect(new Map(firsts.map(({ data, requestId }) => [data.order?.id, requestId]))).toEqual(placed);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3 * 4 * 2 + 10);
    expect(events[0]).toEqual({
      id: expect.stringMatching(UUID_V7),
      type: "order.placed",
      occurredAt: expect.stringMatching(TIME),
      requestId: expect.any(String),
      actor: BY_KEY,
      data: expect.any(Object),
    });
  });

  test("a request that is repeated with the successor of its key happens once", async () => {
    const scopes = ["read:crm", "write:crm"];
    const old = dataOf(await tenant.owner.post("/v1/api-keys", { label: "ERP", scopes }), 201);
    const once = { "idempotency-key": "once" };
    const first = await apiClient(platform.url, bearer(old.key)).post("/v1/orders", newOrder(), once);
    dataOf(first, 201);
    const next = dataOf(await tenant.owner.post(`/v1/api-keys/${old.id}/rotate`, { overlapHours: 2 }), 201);
    const again = await apiClient(platform.url, bearer(next.key)).post("/v1/orders", newOrder(), once);
    expect([again.status, again.text, again.headers.get("idempotent-replayed")]).toEqual([
      201,
      first.text,
      "true",
    ]);
  });

  test("a change of an old version is 412, and a read of a known version is 304", async () => {
    const order = dataOf(await tenant.key.post("/v1/orders", newOrder()), 201);
    const entry = dataOf(await tenant.key.post("/v1/entries", { type: "post", data: { title: "A" } }), 201);
    for (const [path, change] of [
      [`/v1/orders/${order.id}`, { customerNote: "Hi" }],
      [`/v1/customers/${tenant.customerId}`, { phone: "+41" }],
      [`/v1/entries/${entry.id}`, { data: { title: "B" } }],
    ] as const) {
      const etag = String((await tenant.key.get(path)).headers.get("etag"));
      expect((await tenant.key.get(path, { "if-none-match": etag })).status).toBe(304);
      const stale = await sendJson(tenant.key, "PATCH", path, change, { "if-match": '"99"' });
      expectFailure(stale, 412, "version_mismatch");
      expect(stale.headers.get("etag")).toBe(etag);
      const changed = await sendJson(tenant.key, "PATCH", path, change, { "if-match": etag });
      expect(changed.headers.get("etag")).toBe(`"${dataOf(changed, 200).version}"`);
      expect((await tenant.key.get(path, { "if-none-match": etag })).status).toBe(200);
    }
  });

  describe("a receiver that gets events in any order", () => {
    test("can put an entry's publication, end and deletion in order, and finds the same events in the feed", async () => {
      const types = ["content.entry.published", "content.entry.unpublished", "content.entry.deleted"];
      const cursor = await endOf(tenant.key, "/v1/content/events");
      const { path } = await subscribe(types);
      const created = await tenant.key.post("/v1/entries", { type: "post", data: { title: "Short life" } });
      const { id } = dataOf(created, 201);
      dataOf(await tenant.key.post(`/v1/entries/${id}/publish`), 200);
      dataOf(await tenant.key.delete(`/v1/entries/${id}`), 200);
      await until("three webhooks", () => arrived(path).length === 3);
      const inOrder = (keyOf: (hook: Received) => string) =>
        arrived(path).toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
      const byTime = inOrder(
        ({ headers }) => `${headers["x-service-event-time"]} ${headers["x-service-event-id"]}`,
      );
      expect(byTime.map(({ headers }) => headers["x-service-event"])).toEqual(types);
      expect(idsOf(inOrder((hook) => bodyOf(hook).data.entry.updatedAt))).toEqual(idsOf(byTime));
      expect(new Set(byTime.map((hook) => bodyOf(hook).data.entry.updatedAt)).size).toBe(3);
      // The creation of the entry and of its revision come first.
      const { events } = await readFeed(tenant.key, "/v1/content/events", cursor, 5);
      const subscribed = events.filter(({ type }) => types.includes(type));
      expect(subscribed.map(({ id: eventId }) => eventId)).toEqual(idsOf(byTime));
    });

    test("knows one event by its id, whatever the subscription and the attempt", async () => {
      const both = [await subscribe(["redirect.removed"]), await subscribe(["redirect.removed"])];
      const hooksOf = () => both.flatMap(({ path }) => arrived(path));
      receiver.behave(() => (hooksOf().length < 3 ? 503 : 200));
      const added = await tenant.key.post("/v1/redirects", { from: "/old", to: "/new" });
      dataOf(await tenant.key.delete(`/v1/redirects/${dataOf(added, 201).id}`), 200);
      const delivered = await Promise.all(
        both.map(({ id }) =>
          until("the delivery", async () => {
            const list = `/v1/webhooks/deliveries?subscriptionId=${id}&status=delivered`;
            return dataOf(await tenant.key.get(list), 200)[0];
          }),
        ),
      );
      const hooks = hooksOf();
      expect(hooks.length).toBeGreaterThan(2);
      const [eventId = ""] = delivered.map((delivery) => delivery.eventId);
      expect(new Set(idsOf(hooks))).toEqual(new Set([eventId]));
      const times = [...new Set(hooks.map(({ headers }) => headers["x-service-event-time"]))];
      expect(times).toEqual([expect.stringMatching(TIME)]);
      const deliveryIds = new Set(delivered.map(({ id }) => id));
      expect(deliveryIds.size).toBe(2);
      expect(new Set(hooks.map(({ headers }) => headers["x-service-delivery"]))).toEqual(deliveryIds);
      for (const id of deliveryIds) expect(timeOf(id)).toBe(timeOf(eventId));
      for (const hook of hooks) {
        expect(Object.keys(bodyOf(hook))).toEqual(["id", "type", "tenant_id", "data", "delivered_at"]);
        expect(hook.headers["webhook-id"]).toBe(bodyOf(hook).id);
      }
    });
  });

  test("the content feed has what happened, until the module is off", async () => {
    const shop = await platform.createTenant();
    const start = await endOf(shop.key, "/v1/content/events");
    const redirect = dataOf(await shop.key.post("/v1/redirects", { from: "/a b/ü", to: "/a" }), 201);
    const { events, cursor } = await readFeed(shop.key, "/v1/content/events", start, 1);
    expect(events).toEqual([
      {
        id: expect.stringMatching(UUID_V7),
        type: "redirect.added",
        occurredAt: expect.stringMatching(TIME),
        requestId: expect.any(String),
        actor: BY_KEY,
        data: { redirect: { ...redirect, version: 1 } },
      },
    ]);
    const end = `/v1/content/events?after=${encodeURIComponent(cursor)}`;
    expect((await shop.key.get(end)).body).toMatchObject({ data: [], page: { hasMore: false } });
    dataOf(await shop.owner.put("/v1/modules/content", { active: false }), 200);
    expectFailure(await shop.key.get(end), 403, "module_disabled");
  });

  test("every list refuses a limit out of range and text that is not a cursor", async () => {
    const { id: entryId } = dataOf(
      await tenant.key.post("/v1/entries", { type: "post", data: { title: "Listed" } }),
      201,
    );
    const { id: orderId } = dataOf(await tenant.key.post("/v1/orders", newOrder()), 201);
    for (const path of [
      "orders",
      `orders/${orderId}/payments`,
      `orders/${orderId}/timeline`,
      "customers",
      "redirects",
      "content-types",
      "entries",
      `entries/${entryId}/revisions`,
      "media",
      "webhooks/subscriptions",
      "webhooks/deliveries",
      "webhooks/events",
      "api-keys",
      "users",
      "audit-log",
    ]) {
      const list = await tenant.owner.get(`/v1/${path}?limit=100`);
      dataOf(list, 200);
      expect([path, Object.keys(list.body.page)]).toEqual([path, ["nextCursor"]]);
      for (const query of ["limit=0", "limit=101", "limit=x", "cursor=nonsense"]) {
        const { status, body } = await tenant.owner.get(`/v1/${path}?${query}`);
        const paths = body.error?.details?.map(({ path: field }: Json) => field);
        expect([path, query, status, paths]).toEqual([path, query, 422, [query.split("=")[0]]]);
      }
    }
  });
});

/** Returns the time in an id, which is its first 48 bits. */
function timeOf(id: string): string {
  return new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toISOString();
}

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
function bodyOf({ body }: Received): any {
  return JSON.parse(body.toString());
}
