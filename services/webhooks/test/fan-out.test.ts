// An event becomes one delivery for each matching subscription, even if the broker redelivers it.
import { randomUUID } from "node:crypto";
import { newId } from "@tradepost/runtime";
import { readMetrics, until } from "@tradepost/testing";
import { v7 as uuidv7 } from "uuid";
import { useWebhooks } from "./support/use-webhooks.ts";
import { eventOf } from "./support/webhooks.ts";

const { webhooks, receiver, tenant } = useWebhooks();

// Each event records how many subscriptions it matched, and a metric counts the events that have fewer deliveries.
describe("the matches of an event", () => {
  const matchedOf = async (eventId: string) => {
    const text = "select matched from events where tenant_id = $1 and id = $2";
    await webhooks.untilSome(text, tenant.tenantId, eventId);
    return (await webhooks.query(text, tenant.tenantId, eventId))[0];
  };
  const unaccounted = async () => (await readMetrics(webhooks.url()))("events_unaccounted");
  /** An event whose id is a minute old. */
  const emitAged = (more: Record<string, unknown> = {}) =>
    tenant.emit({}, { id: uuidv7({ msecs: Date.now() - 60_000 }), ...more });

  test("are counted at its fan-out, for active and paused subscriptions and for none", async () => {
    await tenant.subscribe("/one");
    const paused = await tenant.subscribe("/two");
    await tenant.setActive(paused.id, false);
    expect(await matchedOf(await tenant.emit())).toEqual({ matched: 2 });
    const unmatched = await tenant.emit({}, { type: "media.uploaded" });
    expect(await matchedOf(unmatched)).toEqual({ matched: 0 });
  });

  test("are counted separately for two tenants with the same event id", async () => {
    const other = webhooks.tenant();
    await tenant.subscribe("/mine");
    const id = randomUUID();
    await Promise.all([other.emit({}, { id }), tenant.emit({}, { id })]);
    expect(await matchedOf(id)).toEqual({ matched: 1 });
  });

  test("are one for an example event", async () => {
    const { id } = await tenant.subscribe("/example");
    const { body } = await tenant.act(id, "test");
    expect(await matchedOf(body.data.eventId)).toEqual({ matched: 1 });
  });

  test("have deliveries: the metric counts events that lack one, whatever its status was", async () => {
    const active = await tenant.subscribe("/active");
    const paused = await tenant.subscribe("/paused");
    await tenant.setActive(paused.id, false);
    for (const _ of [1, 2, 3]) await emitAged();
    await tenant.untilAll(active.id, "delivered", 3);
    expect(await unaccounted()).toBe(0);
    const [, second, third] = await tenant.deliveries(active.id);
    const sameEvent = (await tenant.deliveries(paused.id)).find(({ eventId }) => eventId === second.eventId);
    await webhooks.query("delete from delivery_log where id = $1", second.id);
    expect(await unaccounted()).toBe(1);
    await webhooks.query("delete from deliveries where id = $1", sameEvent.id);
    expect(await unaccounted()).toBe(1);
    await webhooks.query("delete from deliveries where event_id = $1", third.eventId);
    expect(await unaccounted()).toBe(2);
  });

  test("are left out of the scrape if they cannot be counted: no comparison finds a NaN", async () => {
    await webhooks.query("alter table events rename column matched to renamed");
    try {
      expect(await unaccounted()).toBeUndefined();
    } finally {
      await webhooks.query("alter table events rename column renamed to matched");
    }
  });
});

describe("fan-out", () => {
  /** The requests of this test. One of the test before may arrive late. */
  const requests = () =>
    receiver.received.filter(({ body }) => JSON.parse(body.toString()).tenant_id === tenant.tenantId);
  const requestedPaths = () =>
    requests()
      .map(({ path }) => path)
      .sort();
  const arrival = (path: string) =>
    receiver.waitFor(`a request to ${path}`, (request) => request.path === path);
  const noteOf = (body: Buffer) => JSON.parse(body.toString()).data.redirect.note;

  test("makes one delivery for each subscription to the type, and sends it once", async () => {
    const first = await tenant.subscribe("/first");
    const second = await tenant.subscribe("/second", ["media.uploaded", "redirect.added"]);
    const other = await tenant.subscribe("/other", ["redirect.removed"]);
    const eventId = await tenant.emit();
    const expected = { eventId, type: "redirect.added", attemptCount: 1 };
    for (const { id } of [first, second]) {
      expect(await tenant.untilDelivery(id, "delivered")).toMatchObject(expected);
      expect(await tenant.deliveries(id)).toHaveLength(1);
    }
    expect(await tenant.deliveries(other.id)).toEqual([]);
    expect(requestedPaths()).toEqual(["/first", "/second"]);
  });

  test("makes and sends one delivery of an event that arrives five times", async () => {
    const { id } = await tenant.subscribe("/once");
    const eventId = randomUUID();
    const again = () => tenant.emit({ note: "same" }, { id: eventId });
    await Promise.all([again(), again(), again()]);
    await tenant.untilDelivery(id, "delivered");
    await again();
    await again();
    // This event follows the others through the same queues: once it arrives, they have been processed.
    await tenant.emit({ note: "last" });
    await receiver.waitFor("the last event", ({ body }) => noteOf(body) === "last");
    await webhooks.untilReady("webhooks.deliveries", 0);
    expect(requests().map(({ body }) => noteOf(body))).toEqual(["same", "last"]);
    expect(await tenant.deliveries(id)).toHaveLength(2);
  });

  test("gives the deliveries of an event the same ids again after the database has lost them", async () => {
    const subscriptions = [await tenant.subscribe("/first"), await tenant.subscribe("/second")];
    const eventIds = [newId(), newId(), randomUUID()];
    const occurredAt = new Date().toISOString();
    const sent = async () => {
      receiver.received.length = 0;
      for (const id of eventIds) await tenant.emit({}, { id, occurred_at: occurredAt });
      await until("every request", () => requests().length === 6);
      for (const { id } of subscriptions) await tenant.untilAll(id, "delivered");
      return requests()
        .map(({ path, headers }) => `${path} ${headers["x-service-delivery"]}`)
        .sort();
    };
    const before = await sent();
    expect(new Set(before).size).toBe(6);
    for (const table of ["deliveries", "delivery_log", "attempts", "events"]) {
      await webhooks.query(`delete from ${table} where tenant_id = $1`, tenant.tenantId);
    }
    expect(await sent()).toEqual(before);
  });

  test("does not deliver events from before a subscription was created", async () => {
    const { eventId } = await tenant.deliver("/early");
    const late = await tenant.subscribe("/late");
    await tenant.emit({}, { id: eventId });
    await tenant.emit({ note: "new" });
    await arrival("/late");
    expect((await tenant.deliveries(late.id)).length).toBe(1);
  });

  test.each([
    ["is not JSON", "gibberish"],
    ["is not an event", '{"hello":"world"}'],
    ["has no data", JSON.stringify({ id: randomUUID(), type: "redirect.added" })],
    ["has a request id that Postgres cannot store", eventText({ request_id: "a\u0000b" })],
    ["has a type that Postgres cannot store", eventText({ type: "redirect\u0000" })],
    ["has a year that Postgres does not support", eventText({ occurred_at: "0000-01-01T00:00:00Z" })],
  ])("a message that %s goes to webhooks.poison, and the others are delivered", async (_, text) => {
    await webhooks.purge("webhooks.poison");
    const { id } = await tenant.subscribe("/valid");
    await Promise.all([
      webhooks.publish("platform.events", "redirect.added", text),
      tenant.emit(),
      webhooks.publish("platform.events", "redirect.added", text),
    ]);
    await tenant.untilDelivery(id, "delivered");
    await webhooks.untilReady("webhooks.poison", 2);
  });

  test("sends the event's data byte for byte, with the same digits and order of keys", async () => {
    await tenant.subscribe("/exact");
    const data =
      '{"redirect":{"price":19.990000000000000000001,"id":12345678901234567890,"b":"\\u00e9é\\ud83d\\u0000","a":null}}';
    const text = eventText({ tenant_id: tenant.tenantId }).replace('"data":{}', `"data":${data}`);
    await webhooks.publish("platform.events", "redirect.added", text);
    const { body } = await arrival("/exact");
    expect(body.toString()).toContain(`"data":${data.replace("\\u00e9", "é")},"delivered_at"`);
  });

  function eventText(more: Record<string, unknown>): string {
    return JSON.stringify(eventOf(randomUUID(), {}, { data: {}, ...more }));
  }
});
