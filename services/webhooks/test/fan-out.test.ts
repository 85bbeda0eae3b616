// An event becomes one delivery for each subscription that wants it, once, whatever the broker repeats.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { type Receiver, until } from "@tradepost/testing";
import { insertDeliveries } from "../src/fan-out/insert-deliveries.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import type { TestTenant, TestWebhooks } from "./support/webhooks.ts";

describe("fan-out", () => {
  let webhooks: TestWebhooks;
  let receiver: Receiver;
  let tenant: TestTenant;

  useWebhooks({}, (fixture) => {
    ({ webhooks, receiver, tenant } = fixture);
  });

  const pathsCalled = () => receiver.received.map(({ path }) => path).sort();
  const arrival = (path: string) => receiver.waitFor(`a call of ${path}`, (request) => request.path === path);
  const noteOf = (body: Buffer) => JSON.parse(body.toString()).data.redirect.note;

  test("makes one delivery for each subscription that names the type, and calls each once", async () => {
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
    expect(pathsCalled()).toEqual(["/first", "/second"]);
  });

  test("makes one delivery, and one call, of an event that comes five times", async () => {
    const { id } = await tenant.subscribe(`${receiver.url}/once`);
    const eventId = randomUUID();
    const again = () => webhooks.emit(tenant.tenantId, { note: "same" }, { id: eventId });
    await Promise.all([again(), again(), again()]);
    await tenant.untilDelivery(id, "delivered");
    await again();
    await again();
    // Another event behind them on the same queues: once it has arrived, they have been dealt with.
    await webhooks.emit(tenant.tenantId, { note: "last" });
    await receiver.waitFor("the last event", ({ body }) => noteOf(body) === "last");
    await until("empty queues", async () => (await webhooks.ready("webhooks.deliveries")) === 0);
    expect(receiver.received.map(({ body }) => noteOf(body))).toEqual(["same", "last"]);
    expect(await tenant.deliveries(id)).toHaveLength(2);
  });

  test("tells a tenant nothing of another's events", async () => {
    const stranger = webhooks.tenant();
    const mine = await tenant.subscribe(`${receiver.url}/mine`);
    const theirs = await stranger.subscribe(`${receiver.url}/theirs`);
    await webhooks.emit(stranger.tenantId);
    await stranger.untilDelivery(theirs.id, "delivered");
    expect(await tenant.deliveries(mine.id)).toEqual([]);
    expect(pathsCalled()).toEqual(["/theirs"]);
  });

  test("a subscription hears nothing of what was before it", async () => {
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
    ["is no JSON", "gibberish"],
    ["is no event", '{"hello":"world"}'],
    ["has no data", JSON.stringify({ id: randomUUID(), type: "redirect.added" })],
    ["has a request id that Postgres cannot store", eventText({ request_id: "a\u0000b" })],
    ["has a type that Postgres cannot store", eventText({ type: "redirect\u0000" })],
    ["is of a year that Postgres does not know", eventText({ occurred_at: "0000-01-01T00:00:00Z" })],
  ])("a message that %s lies in webhooks.poison, and those beside it are delivered", async (_, text) => {
    await webhooks.purge("webhooks.poison");
    const { id } = await tenant.subscribe(`${receiver.url}/beside`);
    await Promise.all([
      webhooks.publish("platform.events", "redirect.added", text),
      webhooks.emit(tenant.tenantId),
      webhooks.publish("platform.events", "redirect.added", text),
    ]);
    await tenant.untilDelivery(id, "delivered");
    await until("both in the poison queue", async () => (await webhooks.ready("webhooks.poison")) === 2);
  });

  test("keeps what matches a paused subscription as paused, and sends it once it is active again", async () => {
    const { id } = await tenant.subscribe(`${receiver.url}/paused`);
    const control = await tenant.subscribe(`${receiver.url}/control`);
    expect((await tenant.setActive(id, false)).body.data).toMatchObject({ active: false });
    await webhooks.emit(tenant.tenantId);
    await tenant.untilDelivery(control.id, "delivered");
    expect(await tenant.deliveries(id)).toMatchObject([
      { status: "paused", attemptCount: 0, nextAttemptAt: null, completedAt: null },
    ]);
    expect(pathsCalled()).toEqual(["/control"]);
    await tenant.setActive(id, true);
    expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({ attemptCount: 1 });
    expect(pathsCalled()).toEqual(["/control", "/paused"]);
  });

  test("lets what an endpoint has room for in at once: nothing waits for the feed to look", async () => {
    const jobs: unknown[] = [];
    for (let count = 0; count < 20; count += 1) {
      const other = webhooks.tenant();
      await other.subscribe(`${receiver.url}/at-once`);
      const fannedOut = await insertDeliveries(webhooks.pool, [
        JSON.parse(eventText({ tenant_id: other.tenantId })),
      ]);
      jobs.push(...fannedOut.jobs);
    }
    expect(jobs).toHaveLength(20);
  });

  test("sends the event's data byte for byte, digits and order of keys included", async () => {
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
