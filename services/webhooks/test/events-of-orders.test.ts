// Webhooks of events of orders, where the operator's setting names their types (interface §24).
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
const emitOrder = (type = "order.placed") => tenant.emit({}, { type, data: { order: ofPerson } });
const subscribe = (events = ["order.placed", "redirect.added"]) => tenant.subscribe("/hook", events);
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
  const [sent] = receiver.bodies();
  expect(sent).toMatchObject({ type: "order.placed", data: { order: thinOrder } });
  expect(Object.keys(sent.data.order)).toEqual(Object.keys(thinOrder));
  expect(request?.headers).toMatchObject({
    "x-service-resource": `order/${order.id}`,
    "x-service-resource-version": String(order.version),
  });
  expect(JSON.parse(delivery.request.body).data).toEqual({ order: thinOrder });
  expect((await tenant.get(`events/${eventId}`)).data).toEqual({ order: thinOrder });
  await tenant.replay(id, "all");
  await until("the replay", () => receiver.received.length === 2);
  await tenant.act(id, "test", {});
  await until("the example", () => receiver.received.length === 3);
  expect(JSON.stringify(receiver.bodies())).not.toContain("shippingAddress");
  expect(await webhooks.find(eventId)).not.toEqual([]);
  expect(await webhooks.find(PERSON)).toEqual([]);
});

test("are offered to tenants with the module crm only, and only those that the setting names", async () => {
  const types = async (client: ReturnType<typeof noCrm>) =>
    ((await client.get("/v1/webhooks/event-types")).body.data as { type: string }[]).map(({ type }) => type);
  expect(await types(tenant.owner())).toEqual([...subscribableTypes, "order.placed", "order.paid"]);
  expect(await types(noCrm())).toEqual(subscribableTypes);
  const events = ["order.placed"];
  const body = { name: "ERP", url: `${receiver.url}/hook`, events };
  const { id } = await subscribe(["redirect.added"]);
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
  await tenant.emit();
  const waiting = async () => (await key("read:crm").get(listenerPath)).body.data.waiting;
  await until("its delivery", async () => (await waiting()).pending === 1);
  await until("both attempts", async () => receiver.received.length === 2);
  await until("both records", async () => (await tenant.get("statistics")).total.attempts === 2);
  const [{ id: deliveryId }] = await tenant.get(`deliveries?subscriptionId=${id}&eventId=${eventId}`);
  await tenant.replay(id, "missing");
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
    found: 0,
    replays: 0,
    notices: [["endpoint_down", 1]],
    listeners: 0,
    listener: 404,
    lease: 404,
    end: 404,
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
    await tenant.emit();
    await until("the first attempts", () => receiver.received.length === 2);
    await until("the retries", async () => (await tenant.get("deliveries?status=retrying")).length === 2);
    await webhooks.restart({ WEBHOOKS_MORE_EVENTS: "order.paid" });
    const ofType = async (subscriptionId: string) =>
      (await tenant.get(`deliveries?subscriptionId=${subscriptionId}&type=order.placed`))[0];
    for (const { id } of [waiting, paused])
      await until("the cancellation", async () => (await ofType(id)).status === "cancelled");
    const { id: deliveryId } = await ofType(waiting.id);
    const again = await tenant.redeliver(deliveryId);
    expect([again.status, again.body.error.code]).toEqual([409, "conflict"]);
    expect((await explainDelivery(webhooks.db, deliveryId))?.because).toMatch(
      /^The operator stopped offering/,
    );
    expect((await tenant.replay(waiting.id, "all")).body.data.matched).toBe(0);
    // As an operator's redrive would.
    await webhooks.query(
      `with gone as (delete from delivery_log where id = $1 returning *)
       insert into deliveries (tenant_id, id, subscription_id, event_id, type, status, next_attempt_at, queue_state)
       select tenant_id, id, subscription_id, event_id, type, 'pending', now(), 'waiting' from gone`,
      deliveryId,
    );
    await tenant.act(waiting.id, "retry-waiting", {});
    await until("the cancellation", async () => (await ofType(waiting.id)).status === "cancelled");
    expect(receiver.sent("x-service-event").filter((type) => type === "order.placed")).toHaveLength(1);
    expect(await tenant.subscription(waiting.id)).toMatchObject({
      events: ["order.placed", "redirect.added"],
      inactiveEvents: ["order.placed"],
    });
    const change = (...events: string[]) => tenant.change(waiting.id, { events });
    expect((await change("order.placed", "order.paid")).body.data.events).toEqual([
      "order.placed",
      "order.paid",
    ]);
    await change("order.placed", "redirect.added");
    expect((await change("order.refunded")).body.error.details).toMatchObject([{ path: "events[0]" }]);
    const test = await tenant.act(waiting.id, "test", {});
    expect(test.body.data.type).toBe("redirect.added");
    const boundTypes = async () => {
      const bindings = (await webhooks.broker.manage("GET", "/bindings")) as Record<string, string>[];
      const keys = bindings.map(({ routing_key }) => routing_key);
      return keys.filter((routingKey) => routingKey?.startsWith("order")).sort();
    };
    expect(await boundTypes()).toEqual(["order.paid", "order.tally"]);
    await webhooks.restart({ WEBHOOKS_MORE_EVENTS: "" });
    expect(await boundTypes()).toEqual([]);
  });
});
