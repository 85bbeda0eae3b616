// Webhooks of events of orders, where the operator's setting names their types (interface §24).
import { describe, expect, test } from "@jest/globals";
import { eventData, subscribableTypes } from "@tradepost/event-catalog";
import { readSettings } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { settings } from "../src/config.ts";
import { explainDelivery } from "../src/operate.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const PATH = "/v1/webhooks/subscriptions";
const MORE = { WEBHOOKS_MORE_EVENTS: "order.placed,order.paid", WEBHOOKS_RETRY_SCHEDULE: "1h" };
const PERSON = "Ottilie Sonderbar";
const { order } = (eventData["order.placed"]?.example ?? {}) as { order: Record<string, unknown> };
const ofPerson = {
  ...order,
  externalId: "shop-17",
  customerNote: `For ${PERSON}`,
  shippingAddress: { name: PERSON, line1: "1 Lane", city: "Ulm", country: "DE" },
  metadata: { buyer: PERSON },
};
const thinOrder = {
  ...{ id: order.id, orderNumber: order.orderNumber, externalId: "shop-17", channel: order.channel },
  ...{ status: order.status, paymentStatus: order.paymentStatus, fulfillment: order.fulfillment },
  version: order.version,
};

const { webhooks, receiver, tenant } = useWebhooks(MORE);
const emitOrder = (type = "order.placed") =>
  webhooks.emit(tenant.tenantId, {}, { type, data: { order: ofPerson } });
const subscribe = async (more: object = {}) => {
  const body = {
    name: "ERP",
    url: `${receiver.url}/hook`,
    events: ["order.placed", "redirect.added"],
    ...more,
  };
  return (await tenant.owner().post(PATH, body)).body.data as { id: string };
};
const noCrm = () => webhooks.as({ tenantId: tenant.tenantId, modules: ["content"] });
const key = (...scopes: string[]) =>
  webhooks.as({
    tenantId: tenant.tenantId,
    role: "editor",
    actor: { type: "api_key", id: "key", name: "Key" },
    scopes: ["read:content", "write:content", ...scopes],
  });

test("are thin and signed, and no person is in the database or the request", async () => {
  const { id } = await subscribe();
  const eventId = await emitOrder();
  const delivery = await tenant.untilDelivery(id, "delivered");
  const [request] = receiver.received;
  expect(JSON.parse(request?.body.toString() ?? "")).toMatchObject({
    type: "order.placed",
    data: { order: thinOrder },
  });
  expect(Object.keys(JSON.parse(request?.body.toString() ?? "").data.order)).toEqual(Object.keys(thinOrder));
  expect(request?.headers).toMatchObject({
    "x-service-resource": `order/${order.id}`,
    "x-service-resource-version": String(order.version),
  });
  expect(JSON.parse(delivery.request.body).data).toEqual({ order: thinOrder });
  expect((await tenant.owner().get(`/v1/webhooks/events/${eventId}`)).body.data.data).toEqual({
    order: thinOrder,
  });
  await tenant.act(id, "replays", { since: "2020-01-01T00:00:00Z", include: "all" });
  await until("the replay", () => receiver.received.length === 2);
  await tenant.act(id, "test", {});
  await until("the example", () => receiver.received.length === 3);
  expect(JSON.stringify(receiver.received.map(({ body }) => body.toString()))).not.toContain(
    "shippingAddress",
  );
  const dump = await webhooks.dump();
  expect(dump).toContain(eventId);
  expect(dump).not.toContain(PERSON);
});

test("are offered to tenants with the module crm only, and only those that the setting names", async () => {
  const types = async (client: ReturnType<typeof noCrm>) =>
    ((await client.get("/v1/webhooks/event-types")).body.data as { type: string }[]).map(({ type }) => type);
  expect(await types(tenant.owner())).toEqual([...subscribableTypes, "order.placed", "order.paid"]);
  expect(await types(noCrm())).toEqual(subscribableTypes);
  const events = ["order.placed"];
  const body = { name: "ERP", url: `${receiver.url}/hook`, events };
  const { id } = await subscribe({ events: ["redirect.added"] });
  const refused = await Promise.all([
    noCrm().post(PATH, body),
    noCrm().patch(`${PATH}/${id}`, { events }),
    noCrm().post(`${PATH}/${id}/test`, { type: "order.placed" }),
    noCrm().post(`${PATH}/filter-preview`, { events }),
    noCrm().post("/v1/webhooks/listeners", { events }),
    key().post("/v1/webhooks/listeners", { events }),
  ]);
  expect(refused.map(({ body: { error } }) => error.code)).toEqual([
    ...Array.from({ length: 5 }, () => "module_disabled"),
    "forbidden",
  ]);
  const fulfilled = await tenant.owner().post(PATH, { ...body, events: ["order.fulfilled"] });
  expect([fulfilled.status, fulfilled.body.error.details[0].message]).toEqual([
    422,
    expect.stringContaining("order.paid; orders have a change feed"),
  ]);
});

test("are not seen by keys without read:crm in any list, count, statistic, ledger or explanation", async () => {
  receiver.behave(() => 500);
  const { id } = await subscribe();
  const listener = await key("read:crm").post("/v1/webhooks/listeners", { events: ["order.placed"] });
  const listenerPath = `/v1/webhooks/listeners/${listener.body.data.id}`;
  const eventId = await emitOrder();
  await webhooks.emit(tenant.tenantId);
  await until(
    "its delivery",
    async () => (await key("read:crm").get(listenerPath)).body.data.waiting.pending === 1,
  );
  await until("both attempts", async () => receiver.received.length === 2);
  await until("both records", async () => {
    const { body } = await tenant.owner().get("/v1/webhooks/statistics");
    return body.data.total.attempts === 2;
  });
  const [deliveryId] = (
    await tenant.owner().get(`/v1/webhooks/deliveries?subscriptionId=${id}&eventId=${eventId}`)
  ).body.data.map((delivery: { id: string }) => delivery.id);
  await tenant.act(id, "replays", { since: "2020-01-01T00:00:00Z", include: "missing" });
  await webhooks.query(
    `insert into notices (tenant_id, id, kind, subscription_id, subject, facts)
     select $1, gen_random_uuid(), kind, $2, 'ERP', '{"count": 1}' from unnest('{delivery_failed,endpoint_down}'::text[]) as kind`,
    tenant.tenantId,
    id,
  );
  const day = new Date().toJSON().slice(0, 10);
  const read = async (client: ReturnType<typeof key>) => {
    const get = async (path: string) => (await client.get(path)).body;
    const { data: ledger } = await get(`/v1/webhooks/ledger?subscriptionId=${id}&day=${day}`);
    const preview = await client.post(`${PATH}/filter-preview`, { events: ["redirect.added"] });
    return {
      found: (await get(`/v1/webhooks/events?search=${order.orderNumber}`)).data.length,
      events: (await get("/v1/webhooks/events")).data.map(({ type }: { type: string }) => type),
      event: (await client.get(`/v1/webhooks/events/${eventId}`)).status,
      deliveries: (await get("/v1/webhooks/deliveries")).data.map(({ type }: { type: string }) => type),
      delivery: (await client.get(`/v1/webhooks/deliveries/${deliveryId}`)).status,
      attempts: (await get("/v1/webhooks/statistics")).data.total.attempts,
      ledger: ledger.types.map(({ type }: { type: string }) => type),
      waiting: (await get(`${PATH}/${id}`)).data.health.waiting,
      waitingListed: (await get(PATH)).data[0].health.waiting,
      examined: preview.body.data.examined,
      listeners: (await get("/v1/webhooks/listeners")).data.length,
      notices: (await get("/v1/notices")).data.map(
        (notice: { kind: string; facts: { waiting?: number } }) => [notice.kind, notice.facts.waiting],
      ),
      replays: (await get(`${PATH}/${id}/replays`)).data.length,
      listener: (await client.get(listenerPath)).status,
      lease: (await client.post(`${listenerPath}/lease`)).status,
      end: (await client.post(`${listenerPath}/deliveries/${deliveryId}/redeliver`)).status,
    };
  };
  const seen = await read(key("read:crm"));
  expect(seen).toMatchObject({
    event: 200,
    delivery: 200,
    attempts: 2,
    waiting: 2,
    waitingListed: 2,
    examined: 2,
  });
  expect(seen).toMatchObject({
    found: 1,
    replays: 1,
    listeners: 1,
    listener: 200,
    lease: 200,
    ledger: ["order.placed", "redirect.added"],
  });
  expect([seen.events.sort(), seen.deliveries.length]).toEqual([["order.placed", "redirect.added"], 3]);
  const hidden = {
    ...{ events: ["redirect.added"], event: 404, deliveries: ["redirect.added"], delivery: 404, attempts: 1 },
    ...{ ledger: ["redirect.added"], waiting: 1, waitingListed: 1, examined: 1 },
    ...{
      found: 0,
      replays: 0,
      notices: [["endpoint_down", 1]],
      listeners: 0,
      listener: 404,
      lease: 404,
      end: 404,
    },
  };
  expect(await read(key())).toEqual(hidden);
});

test("need a setting of types of orders, or the service does not start", () => {
  const start = (types: string) =>
    readSettings(settings, { ...webhooks.environment, WEBHOOKS_MORE_EVENTS: types });
  expect(() => start("order.placed,redirect.added")).toThrow(
    /WEBHOOKS_MORE_EVENTS must be event types of the orders service, comma-separated: order\.placed,order\.paid,/,
  );
});

describe("after the operator has taken a type out of the setting", () => {
  test("it is delivered no more, whether waiting, paused or redelivered, and its binding is gone", async () => {
    const waiting = await subscribe();
    const paused = await subscribe();
    await tenant.setActive(paused.id, false);
    receiver.behave(() => 500);
    await emitOrder();
    await webhooks.emit(tenant.tenantId);
    await until("the first attempts", () => receiver.received.length === 2);
    await until("the retries", async () => {
      const { body } = await tenant.owner().get("/v1/webhooks/deliveries?status=retrying");
      return body.data.length === 2;
    });
    await webhooks.restart({ WEBHOOKS_MORE_EVENTS: "order.paid" });
    const ofType = async (subscriptionId: string) => {
      const { body } = await tenant
        .owner()
        .get(`/v1/webhooks/deliveries?subscriptionId=${subscriptionId}&type=order.placed`);
      return body.data[0];
    };
    for (const { id } of [waiting, paused])
      await until("the cancellation", async () => (await ofType(id)).status === "cancelled");
    const { id: deliveryId } = await ofType(waiting.id);
    const again = await tenant.owner().post(`/v1/webhooks/deliveries/${deliveryId}/redeliver`);
    expect([again.status, again.body.error.code]).toEqual([409, "conflict"]);
    expect((await explainDelivery(webhooks.db, deliveryId))?.because).toMatch(
      /^The operator stopped offering/,
    );
    const replay = await tenant.act(waiting.id, "replays", { since: "2020-01-01T00:00:00Z", include: "all" });
    expect(replay.body.data.matched).toBe(0);
    // As an operator's redrive would.
    await webhooks.query(
      `with gone as (delete from delivery_log where id = $1 returning *)
       insert into deliveries (tenant_id, id, subscription_id, event_id, type, status, next_attempt_at, queue_state)
       select tenant_id, id, subscription_id, event_id, type, 'pending', now(), 'waiting' from gone`,
      deliveryId,
    );
    await tenant.act(waiting.id, "retry-waiting", {});
    await until("the cancellation", async () => (await ofType(waiting.id)).status === "cancelled");
    expect(
      receiver.received.filter(({ headers }) => headers["x-service-event"] === "order.placed"),
    ).toHaveLength(1);
    expect((await tenant.owner().get(`${PATH}/${waiting.id}`)).body.data).toMatchObject({
      events: ["order.placed", "redirect.added"],
      inactiveEvents: ["order.placed"],
    });
    const { events } = (await tenant.change(waiting.id, { events: ["order.placed", "order.paid"] })).body
      .data;
    expect(events).toEqual(["order.placed", "order.paid"]);
    await tenant.change(waiting.id, { events: ["order.placed", "redirect.added"] });
    expect(
      (await tenant.change(waiting.id, { events: ["order.refunded"] })).body.error.details,
    ).toMatchObject([{ path: "events[0]" }]);
    const test = await tenant.act(waiting.id, "test", {});
    expect(test.body.data.type).toBe("redirect.added");
    const bindings = (await webhooks.broker.manage("GET", "/bindings")) as Record<string, string>[];
    const bound = bindings.filter(({ routing_key }) => routing_key?.startsWith("order"));
    expect(bound.map(({ routing_key }) => routing_key).sort()).toEqual(["order.paid", "order.tally"]);
    await webhooks.restart({ WEBHOOKS_MORE_EVENTS: "" });
    const none = (await webhooks.broker.manage("GET", "/bindings")) as Record<string, string>[];
    expect(none.filter(({ routing_key }) => routing_key?.startsWith("order"))).toEqual([]);
  });
});
