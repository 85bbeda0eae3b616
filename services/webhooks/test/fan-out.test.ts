// An event becomes one delivery for each matching subscription, even if the broker redelivers it.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { newId } from "@tradepost/runtime";
import { readMetrics, until } from "@tradepost/testing";
import { v7 as uuidv7 } from "uuid";
import { useWebhooks } from "./support/use-webhooks.ts";

const { webhooks, receiver, tenant } = useWebhooks();

// Each event records how many subscriptions it matched, and a metric counts the events that have fewer deliveries.
describe("the matches of an event", () => {
  const matchedOf = (eventId: string) =>
    until("the event", async () => {
      const rows = await webhooks.query(
        "select matched from events where tenant_id = $1 and id = $2",
        tenant.tenantId,
        eventId,
      );
      return rows[0];
    });
  const unaccounted = async () => (await readMetrics(webhooks.url()))("events_unaccounted");
  /** An event whose id is a minute old. */
  const emitAged = (more: Record<string, unknown> = {}) =>
    webhooks.emit(tenant.tenantId, {}, { id: uuidv7({ msecs: Date.now() - 60_000 }), ...more });

  test("are counted at its fan-out, for active and paused subscriptions and for none", async () => {
    await tenant.subscribe(`${receiver.url}/one`);
    const paused = await tenant.subscribe(`${receiver.url}/two`);
    await tenant.setActive(paused.id, false);
    expect(await matchedOf(await webhooks.emit(tenant.tenantId))).toEqual({ matched: 2 });
    const unmatched = await webhooks.emit(tenant.tenantId, {}, { type: "media.uploaded" });
    expect(await matchedOf(unmatched)).toEqual({ matched: 0 });
  });

  test("are counted separately for two tenants with the same event id", async () => {
    const other = webhooks.tenant();
    await tenant.subscribe(`${receiver.url}/mine`);
    const id = randomUUID();
    await Promise.all([
      webhooks.emit(other.tenantId, {}, { id }),
      webhooks.emit(tenant.tenantId, {}, { id }),
    ]);
    expect(await matchedOf(id)).toEqual({ matched: 1 });
  });

  test("are one for an example event", async () => {
    const { id } = await tenant.subscribe(`${receiver.url}/example`);
    const { body } = await tenant.act(id, "test");
    expect(await matchedOf(body.data.eventId)).toEqual({ matched: 1 });
  });

  test("have deliveries: the metric counts events that lack one, whatever its status was", async () => {
    const active = await tenant.subscribe(`${receiver.url}/active`);
    const paused = await tenant.subscribe(`${receiver.url}/paused`);
    await tenant.setActive(paused.id, false);
    for (let count = 1; count <= 3; count += 1) await emitAged();
    await tenant.untilAll(active.id, "delivered", 3);
    expect(await unaccounted()).toBe(0);
    const [, second, third] = await tenant.deliveries(active.id);
    const sameEvent = (await tenant.deliveries(paused.id)).find(
      ({ eventId }: { eventId: string }) => eventId === second.eventId,
    );
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
    const first = await tenant.subscribe(`${receiver.url}/first`);
    const second = await tenant.subscribe(`${receiver.url}/second`, ["media.uploaded", "redirect.added"]);
    const other = await tenant.subscribe(`${receiver.url}/other`, ["redirect.removed"]);
    const eventId = await webhooks.emit(tenant.tenantId);
    for (const { id } of [first, second]) {
      expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({
        eventId,
        type: "redirect.added",
        attemptCount: 1,
      });
      expect(await tenant.deliveries(id)).toHaveLength(1);
    }
    expect(await tenant.deliveries(other.id)).toEqual([]);
    expect(requestedPaths()).toEqual(["/first", "/second"]);
  });

  test("makes and sends one delivery of an event that arrives five times", async () => {
    const { id } = await tenant.subscribe(`${receiver.url}/once`);
    const eventId = randomUUID();
    const again = () => webhooks.emit(tenant.tenantId, { note: "same" }, { id: eventId });
    await Promise.all([again(), again(), again()]);
    await tenant.untilDelivery(id, "delivered");
    await again();
    await again();
    // This event follows them through the same queues, so when it is received they have been processed.
    await webhooks.emit(tenant.tenantId, { note: "last" });
    await receiver.waitFor("the last event", ({ body }) => noteOf(body) === "last");
    await until("empty queues", async () => (await webhooks.ready("webhooks.deliveries")) === 0);
    expect(requests().map(({ body }) => noteOf(body))).toEqual(["same", "last"]);
    expect(await tenant.deliveries(id)).toHaveLength(2);
  });

  test("gives the deliveries of an event the same ids again after the database has lost them", async () => {
    const subscriptions = [
      await tenant.subscribe(`${receiver.url}/first`),
      await tenant.subscribe(`${receiver.url}/second`),
    ];
    const eventIds = [newId(), newId(), randomUUID()];
    const occurredAt = new Date().toISOString();
    const sent = async () => {
      receiver.received.length = 0;
      for (const id of eventIds) await webhooks.emit(tenant.tenantId, {}, { id, occurred_at: occurredAt });
      await until("every request", () => requests().length === 6);
      await Promise.all(
        subscriptions.map(({ id }) =>
          until("every delivery in the log", async () =>
            (await tenant.deliveries(id)).every(({ status }: { status: string }) => status === "delivered"),
          ),
        ),
      );
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
    const early = await tenant.subscribe(`${receiver.url}/early`);
    const eventId = await webhooks.emit(tenant.tenantId);
    await tenant.untilDelivery(early.id, "delivered");
    const late = await tenant.subscribe(`${receiver.url}/late`);
    await webhooks.emit(tenant.tenantId, {}, { id: eventId });
    await webhooks.emit(tenant.tenantId, { note: "new" });
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
    const { id } = await tenant.subscribe(`${receiver.url}/valid`);
    await Promise.all([
      webhooks.publish("platform.events", "redirect.added", text),
      webhooks.emit(tenant.tenantId),
      webhooks.publish("platform.events", "redirect.added", text),
    ]);
    await tenant.untilDelivery(id, "delivered");
    await until("both in the poison queue", async () => (await webhooks.ready("webhooks.poison")) === 2);
  });

  test("sends the event's data byte for byte, with the same digits and order of keys", async () => {
    await tenant.subscribe(`${receiver.url}/exact`);
    const data =
      '{"redirect":{"price":19.990000000000000000001,"id":12345678901234567890,"b":"\\u00e9é\\ud83d\\u0000","a":null}}';
    const text = eventText({ tenant_id: tenant.tenantId }).replace('"data":{}', `"data":${data}`);
    await webhooks.publish("platform.events", "redirect.added", text);
    const { body } = await arrival("/exact");
    expect(body.toString()).toContain(`"data":${data.replace("\\u00e9", "é")},"delivered_at"`);
  });

  function eventText(more: Record<string, unknown>): string {
    return JSON.stringify({
      id: randomUUID(),
      type: "redirect.added",
      tenant_id: randomUUID(),
      occurred_at: new Date().toISOString(),
      request_id: randomUUID(),
      actor: { type: "user", id: "u-1", name: "Ada" },
      data: {},
      ...more,
    });
  }
});
