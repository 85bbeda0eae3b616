// The operators' commands for events that did not arrive, with a running platform: they show where events are and publish them
// again.
import { randomUUID } from "node:crypto";
import { createLogger } from "@tradepost/runtime";
import { captureMessages, readMetrics, recordStatements, until } from "@tradepost/testing";
import { connect } from "amqplib";
import { publishMessages } from "../support/broker-messages.ts";
import { dataOf } from "../support/data-of.ts";
import { opsJsonOn, opsOn } from "../support/run-ops.ts";
import { startTestPlatform, type TestTenant } from "../support/test-platform.ts";

const platform = await startTestPlatform({
  ...{ WEBHOOKS_RETRY_SCHEDULE: "1h", WEBHOOKS_SWEEP_GRACE_MS: "300" },
  EVENTS_TALLY_EVERY_MS: "300",
});
const receiver = await platform.startReceiver();
const statuses: Record<string, number> = { "/down": 500, "/gone?key=secret": 410 };
receiver.behave(({ path }) => statuses[path] ?? 200);
const tenant = await platform.createTenant();
const [content, webhooks] = [platform.pools.content, platform.pools.webhooks];
const subscriptionId = await subscribe(tenant, "");

async function subscribe(by: TestTenant, path: string, events?: string[]): Promise<string> {
  return (await by.subscribe(receiver.url + path, events)).id;
}

describe("the operators' commands for events", () => {
  afterAll(() => platform.stop());

  const ops = (...words: string[]) => opsOn(platform)(...words);
  const opsJson = (...words: string[]) => opsJsonOn(platform)(...words);
  const find = (...words: string[]) => opsJson("events find", ...words);
  const textOf = async (id: string) => (await ops("events find", id)).stdout;

  const addRedirect = async (from: string, by = tenant): Promise<string> =>
    dataOf(await by.key.post("/v1/redirects", { from, to: "/new" }), 201).id;

  const unsubscribe = ({ owner }: TestTenant, id: string) => owner.delete(`/v1/webhooks/subscriptions/${id}`);

  /** Waits until the only event of a resource has this state, and returns it. */
  const found = (id: string, state: string) =>
    until(`the event as ${state}`, async () => {
      const [event] = await find(id);
      return event?.state === state && event;
    });

  test("finds an event from its resource or its id, through outbox, publication and deliveries", async () => {
    const id = await addRedirect("/found");
    const event = await until("the delivery", async () => {
      const [first] = await find(id);
      return first?.deliveries[0]?.status === "delivered" && first;
    });
    expect(event).toEqual({
      ...{ eventId: expect.any(String), type: "redirect.added", service: "content", state: "received" },
      occurredAt: expect.stringMatching(/Z$/),
      deliveries: [{ id: expect.any(String), subscriptionId, status: "delivered" }],
    });
    expect(await find(event.eventId)).toEqual([event]);
    expect(await find(id, "--tenant", tenant.tenantId)).toEqual([event]);
    expect(await find(id, "--tenant", randomUUID())).toEqual([]);
    expect(await textOf(id)).toMatch(/redirect\.added {2}[0-9a-f-]{36} {2}\(content\): received\n/);

    const items = [{ sku: "A-1", name: "Mug" }];
    const order = dataOf(await tenant.key.post("/v1/orders", { customerId: tenant.customerId, items }), 201);
    await found(order.id, "published");
    expect(await textOf(order.id)).toMatch(/cannot subscribe to its type/);
    await tenant.key.patch(`/v1/orders/${order.id}`, { customerNote: "Ring twice" });
    const updated = await until("the PATCH as published", async () => {
      const [, second] = await find(order.id);
      return second?.state === "published" && second;
    });
    expect(await textOf(updated.eventId)).toMatch(/order\.updated .*\n {2}The change feed lists it/);
    expect(await ops("events republish --service orders --event", updated.eventId)).toMatchObject({
      stdout: "Matched: 0. Published again: 0.\n",
      stderr: "Only the change feed lists order.updated. It is not published.\n",
    });
    const ofGateway = { type: "tenant.created", service: "gateway", deliveries: [] };
    expect(await find(tenant.tenantId)).toMatchObject([ofGateway]);
    const sent = dataOf(await tenant.owner.post(`/v1/webhooks/subscriptions/${subscriptionId}/test`), 202);
    const delivery = dataOf(await tenant.owner.get(`/v1/webhooks/deliveries/${sent.id}`), 200);
    expect(await find(delivery.eventId)).toMatchObject([{ service: "webhooks", state: "received" }]);
    expect(await find(randomUUID())).toEqual([]);
    expect(await textOf(randomUUID())).toMatch(/^No event is kept/);
  });

  test("publishes lost events again, in order, and says which it leaves out", async () => {
    const before = new Date().toISOString();
    const ids = [await addRedirect("/lost-1"), await addRedirect("/lost-2")];
    const republish = (...words: string[]) => ops("events republish --service content", ...words);
    const events = await until("the deliveries", async () => {
      const list = await Promise.all(ids.map((id) => found(id, "received")));
      return list.every(({ deliveries }) => deliveries[0]?.status === "delivered") && list;
    });
    const eventIds = events.map(({ eventId }) => eventId);
    await forget(eventIds);
    const isMissing = /has not received it.*events republish --service content --event/;
    // An event that was just published is in the outbox for a moment.
    await until("the command", async () => isMissing.test(await textOf(ids[0] ?? "")));
    const parked = await park(ids[0] ?? "");
    expect(await textOf(parked)).toMatch(/: outbox\n {2}It is parked, because it is too large/);

    expect(await republish("--event", eventIds[0], "--json")).toEqual({
      code: 0,
      stdout: '{\n  "matched": 1,\n  "republished": 1\n}\n',
      stderr: "",
    });
    await found(eventIds[0], "received");
    const captured = await captureMessages(platform.broker.amqpUrl, "redirect.added", {
      withReplayed: true,
    });
    expect(await republish("--since", before)).toEqual({
      code: 0,
      stdout: "Matched: 2. Published again: 2.\n",
      stderr: expect.stringMatching(/^1 event is parked in the outbox of content.*\n$/),
    });
    await found(eventIds[1], "received");
    expect(captured.messages.map(({ properties }) => properties.messageId)).toEqual(eventIds);
    await captured.stop();
    expect((await republish("--since", "2020-01-01", "--until", before)).stderr).toMatch(
      /are no longer kept by content/,
    );
    expect(await republish("--event", parked)).toMatchObject({
      stdout: "Matched: 0. Published again: 0.\n",
      stderr: expect.stringMatching(/parked.*outbox unpark --event/),
    });
    expect((await republish("--event", randomUUID())).stderr).toMatch(/keeps no event with this id/);
    await content.query("delete from outbox where event_id = $1", [parked]);
  });

  test("shows parked events, and publishes them once they are unparked", async () => {
    const eventId = await park(randomUUID());
    const listed = await ops("outbox");
    expect(listed.stdout).toMatch(/content +0 +0 +1\n/);
    expect(listed.stdout).toMatch(new RegExp(`content +${eventId} +redirect.added .*it is too large`));
    expect(await ops("outbox unpark --json --event", randomUUID())).toEqual({
      ...{ code: 0, stdout: '{\n  "unparked": 0\n}\n' },
      stderr: "No parked event has this id.\n",
    });
    expect(await opsJson("outbox unpark --event", eventId)).toEqual({ unparked: 1 });
    await found(eventId, "received");
    await park(randomUUID());
    expect(await opsJson("outbox unpark --all")).toEqual({ unparked: 1 });
    const outboxes = await until("an empty outbox", async () => {
      const all = await opsJson("outbox");
      return all[2].pending === 0 && all;
    });
    expect(outboxes[2]).toMatchObject({ service: "content", parked: 0 });
  });

  test("counts what waits, by tenant and by endpoint, the oldest first", async () => {
    const isEmpty = async () => (await opsJson("backlog")).length === 0;
    await until("the deliveries of the test before", isEmpty);
    const other = await platform.createTenant();
    const endpoint = await subscribe(tenant, "/down", ["redirect.removed"]);
    const another = await subscribe(other, "/down");
    const redirects = dataOf(await tenant.key.get("/v1/redirects?limit=2"), 200);
    for (const { id } of redirects) await tenant.key.delete(`/v1/redirects/${id}`);
    const haveArrived = async () => (await opsJson("backlog"))[0]?.waiting === 2;
    await until("these, whose events a relay publishes", haveArrived);
    await addRedirect("/waits", other);
    const byTenant = await until("the attempts", async () => {
      const rows: { failing: number }[] = await opsJson("backlog");
      return rows.length === 2 && rows.every(({ failing }) => failing > 0) && rows;
    });
    const row = { oldestSeconds: expect.any(Number), failing: expect.any(Number) };
    const ours = { tenantId: tenant.tenantId, waiting: 2, ...row };
    const theirs = { tenantId: other.tenantId, waiting: 1, ...row };
    expect(byTenant).toEqual([ours, theirs]);
    const list = `deliveries list --subscription ${endpoint}`;
    const oldest: { deliveryId: string; createdAt: string }[] = await opsJson(list, "--oldest");
    const ofEndpoint = { host: new URL(receiver.url).host, lastOutcome: "http_status 500" };
    expect(await opsJson("backlog --by endpoint")).toEqual([
      { ...ours, ...ofEndpoint, subscriptionId: endpoint, oldestDeliveryId: oldest[0]?.deliveryId },
      { ...theirs, ...ofEndpoint, subscriptionId: another, oldestDeliveryId: expect.any(String) },
    ]);
    const time = expect.stringMatching(/Z$/);
    expect(oldest[1]).toEqual({
      ...{ deliveryId: expect.any(String), createdAt: time, nextAttemptAt: time },
      ...{ tenantId: tenant.tenantId, subscriptionId: endpoint, type: "redirect.removed" },
      ...{ status: "retrying", attemptCount: 1, lastOutcome: "http_status 500" },
    });
    const idsOf = async (...words: string[]) =>
      (await opsJson(list, ...words)).map(({ deliveryId }: { deliveryId: string }) => deliveryId);
    const [first, second] = oldest.map(({ deliveryId }) => deliveryId);
    expect(await idsOf("--limit 2")).toEqual([second, first]);
    expect(await idsOf("--status retrying --oldest --limit 1")).toEqual([first]);
    expect(await idsOf("--status delivered")).toEqual([]);
    expect(await idsOf("--tenant", other.tenantId)).toEqual([]);
    await unsubscribe(tenant, endpoint);
    await unsubscribe(other, another);
    await until("no backlog", isEmpty);
    expect(await idsOf("--status cancelled --tenant", tenant.tenantId)).toEqual([second, first]);
    expect(await ops(list)).toEqual({
      ...{ code: 1, stdout: "" },
      stderr: "No subscription has this id. If it was deleted, add --tenant <id>.\n",
    });
  });

  test("lists the notices of all tenants, or some of them, as their tenants see them", async () => {
    expect((await ops("notices list")).stdout).toBe("There are no notices.\n");
    const other = await platform.createTenant();
    const noticed: string[] = [];
    for (const owner of [tenant, other]) {
      noticed.push(await subscribe(owner, "/gone?key=secret"));
      await addRedirect(`/${randomUUID()}`, owner);
      await until("the notice", async () => (await opsJson("notices list")).length === noticed.length);
    }
    const [first = "", second = ""] = noticed;
    const idsOf = async (...filter: string[]) =>
      (await opsJson("notices list", ...filter)).map(
        (notice: { subscriptionId: string }) => notice.subscriptionId,
      );
    const [shown] = dataOf(await other.key.get("/v1/notices"), 200);
    expect(shown).toMatchObject({ kind: "endpoint_gone", subscriptionId: second, closedAt: null });
    const { tenantId } = other;
    expect(await opsJson("notices list --tenant", tenantId)).toEqual([{ tenantId, ...shown }]);
    expect(await idsOf()).toEqual([second, first]);
    expect(await idsOf("--kind endpoint_gone --subscription", first)).toEqual([first]);
    expect(await idsOf("--kind endpoint_down")).toEqual([]);
    await unsubscribe(tenant, first);
    expect(await idsOf("--open")).toEqual([second]);
    expect(await idsOf()).toEqual([second, first]);
    const { stdout } = await ops("notices list --open");
    expect(stdout).toContain(`(${new URL(receiver.url).host})`);
    expect(stdout).toContain(shown.whatHappensNext);
    expect(stdout).not.toContain("key=secret");
    await unsubscribe(other, second);
  });

  test("lists every poison queue with the source of its messages, and puts them back", async () => {
    // An event that an earlier version could not read.
    const event = {
      ...{ id: randomUUID(), type: "redirect.added", tenant_id: tenant.tenantId, request_id: "r" },
      ...{ occurred_at: new Date().toISOString(), actor: { type: "user", id: "u", name: "U" }, data: {} },
    };
    const rejected = { queue: "webhooks.events", reason: "rejected", exchange: "", "routing-keys": ["x"] };
    const death = { ...rejected, count: 1 };
    await publishMessages(platform.broker.amqpUrl, (channel) => {
      const send = (queue: string, body: object, options: object) =>
        channel.sendToQueue(queue, Buffer.from(JSON.stringify(body)), { persistent: true, ...options });
      channel.publish("platform.events", "redirect.added", Buffer.from("not json"), { messageId: "no JSON" });
      send("webhooks.deliveries", { a: 1 }, { messageId: "job" });
      send("gateway.audit", { a: 1 }, { messageId: "entry" });
      send("content.media", { a: 1 }, { messageId: "image" });
      send("webhooks.poison", { a: 1 }, { messageId: "by hand" });
      send("webhooks.poison", event, { messageId: event.id, headers: { "x-death": [death] } });
    });
    const rows = await until("the poison", async () => {
      const all: { messageId: string }[] = await opsJson("poison list");
      return all.length === 6 && all;
    });
    const at = expect.stringMatching(/Z$/);
    const byId = new Map(rows.map((row) => [row.messageId, row]));
    const isNoEvent = expect.stringMatching(/^not an event: /);
    expect(byId.get("job")).toEqual({
      ...{ queue: "webhooks.poison", source: "webhooks.deliveries", at, messageId: "job" },
      reason: expect.stringMatching(/^not a delivery: delivery_id/),
    });
    expect(byId.get("no JSON")).toEqual({
      ...{ queue: "webhooks.poison", source: "webhooks.events", at, messageId: "no JSON" },
      reason: "the body is not JSON",
    });
    expect(byId.get("entry")).toEqual({
      queue: "gateway.audit.poison",
      source: "gateway.audit",
      at,
      messageId: "entry",
      reason: isNoEvent,
    });
    expect(byId.get("image")).toMatchObject({ queue: "content.poison", source: "content.media" });
    expect(byId.get("by hand")).toEqual({
      ...{ queue: "webhooks.poison", source: null, at: null, messageId: "by hand", reason: isNoEvent },
    });
    expect(byId.get(event.id)).toMatchObject({ reason: "the consumer rejected it; it can be read now" });

    // Listing removes no message.
    expect(await opsJson("poison list")).toHaveLength(6);
    expect(await opsJson("poison redrive --message", event.id)).toEqual({ matched: 1, redriven: 1 });
    await found(event.id, "received");
    // A message that still cannot be read comes back. A message of unknown origin stays.
    expect(await ops("poison redrive")).toEqual({
      ...{ code: 1, stdout: "Matched: 5. Put back: 4.\n" },
      stderr: expect.stringMatching(/^The others stay/),
    });
    await until("all of them again", async () => (await opsJson("poison list")).length === 5);
    expect(await opsJson("poison purge --queue content.poison --yes")).toEqual({ purged: 1 });
    expect(await opsJson("poison purge --yes")).toEqual({ purged: 4 });
    expect(await opsJson("poison list")).toEqual([]);
  });

  test("notices a purged webhooks.events by a metric, and the command in the log mends it", async () => {
    const lines: { command?: string; missing?: number }[] = [];
    const log = Object.assign(createLogger("test", "silent"), {
      error: (line: object) => void lines.push(line),
    });
    const printed = (count: number) =>
      until("the log line", () => lines.find((line) => line.missing === count)?.command);
    const wordsOf = (command: string) => /^npm run ops -- (.*)$/.exec(command)?.[1]?.split(" ") ?? [];
    const gauge = async (name: string, { url }: { url: string }) =>
      (await readMetrics(url))(`${name}{producer="content"}`);
    const connection = await connect(platform.broker.amqpUrl);
    const channel = await connection.createChannel();
    await until("the first tally", async () => (await webhooks.query("table tallies")).rowCount === 1);

    await platform.stopWebhooks();
    const ids = await Promise.all([1, 2, 3].map((number) => addRedirect(`/purged-${number}`)));
    await until("the messages", async () => (await channel.checkQueue("webhooks.events")).messageCount === 3);
    expect((await channel.purgeQueue("webhooks.events")).messageCount).toBe(3);
    const replica = await platform.startWebhooks({}, log);
    await until("the metric", async () => (await gauge("events_missing", replica)) === 3);
    const words = wordsOf(await printed(3));
    expect(words).toEqual([
      ...["events", "republish", "--service", "content"],
      ...["--since", expect.stringMatching(/Z$/), "--until", expect.stringMatching(/Z$/)],
    ]);
    // The command waits until the events have arrived.
    expect(await opsJson(...words)).toEqual({ matched: 3, republished: 3 });
    await until("the metric", async () => (await gauge("events_missing", replica)) === 0);
    for (const id of ids) await found(id, "received");
    expect(await gauge("events_untallied_seconds", replica)).toBe(0);

    // Both queues are purged, so only the time of publication is known, not which events are missing.
    await replica.stop();
    const both = await addRedirect("/purged-4");
    await until("the message", async () => (await channel.checkQueue("webhooks.events")).messageCount === 1);
    await until("its tally", async () => {
      const { rows } = await content.query(
        `select from event_tally
          where tallied_until > (select max(published_at) from published_events) and not exists (select from outbox)`,
      );
      return rows.length === 1;
    });
    await channel.purgeQueue("webhooks.events");
    await channel.purgeQueue("webhooks.tallies");
    lines.length = 0;
    const second = await platform.startWebhooks({}, log);
    const untallied = async () => (await gauge("events_untallied_seconds", second)) ?? 0;
    await until("the metric", async () => (await untallied()) > 0);
    const repaired = await ops(...wordsOf(await printed(0)));
    expect(repaired).toMatchObject({ code: 0, stdout: "Matched: 1. Published again: 1.\n" });
    await until("the metric", async () => (await untallied()) === 0);
    await found(both, "received");
    expect(await gauge("events_missing", second)).toBe(0);

    // Even if the broker lost everything, nothing is reported: events that are published again are tallied again.
    await until("the report", () => lines.length > 0);
    lines.length = 0;
    await connection.close();
    await forget([(await found(both, "received")).eventId]);
    await platform.broker.wipe();
    await found(both, "received");
    await until("a tally of all", async () => {
      const { rows } = await content.query(
        "select from event_tally where not exists (select from replay) and tallied_until > now() - interval '2 seconds'",
      );
      return rows.length === 1;
    });
    await until("a tally", async () => ((await gauge("events_tally_age_seconds", second)) ?? 99) < 2);
    expect(await gauge("events_missing", second)).toBe(0);
    expect(await untallied()).toBe(0);
    expect(lines.filter(({ command }) => command)).toEqual([]);
  });

  test("reads few rows of large tables, by index", async () => {
    const recorders = await Promise.all(
      [platform.databases.content, platform.databases.webhooks].map((url) => recordStatements(url)),
    );
    const [ofContent, ofWebhooks] = recorders;
    const { databases } = platform;
    const recorded = opsOn({
      ...platform,
      databases: {
        ...databases,
        content: ofContent?.through(databases.content) ?? "",
        webhooks: ofWebhooks?.through(databases.webhooks) ?? "",
      },
    });
    const id = await addRedirect("/by-index");
    const { eventId } = await found(id, "received");
    for (const words of [
      ...[`find ${id}`, `find ${eventId}`, `republish --service content --event ${eventId}`],
      `republish --service content --since ${new Date(Date.now() - 60_000).toISOString()}`,
    ])
      expect(await recorded("events", words)).toMatchObject({ code: 0 });
    const reads = [
      await ofContent?.largeReads(async (owner) => {
        await owner.query(`
          insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                                        actor, data, size_bytes, published_at)
          select id + number, gen_random_uuid(), gen_random_uuid(), type, tenant_id, occurred_at, request_id, traceparent,
                 actor, data, size_bytes, published_at - interval '1 hour'
            from (select * from published_events limit 1) as one, generate_series(1000000, 1020000) as number`);
      }),
      await ofWebhooks?.largeReads(async (owner) => {
        await owner.query(`
          insert into events (tenant_id, id, type, occurred_at, request_id, data, matched, resource_id)
          select tenant_id, overlay(gen_random_uuid()::text placing substr(id::text, 1, 15) from 1)::uuid, type, occurred_at,
                 request_id, data, matched, gen_random_uuid()
            from (select * from events order by id desc limit 1) as one, generate_series(1, 20000)`);
      }),
    ];
    const isCount = (text: string) => text.startsWith("select count(*)");
    expect(reads.flat().filter((read) => read !== undefined && !isCount(read.text))).toEqual([]);
    const texts = recorders.flatMap((recorder) => recorder.texts()).join("\n");
    expect(texts).toContain("from published_events where aggregate_id");
    expect(texts).toContain("from wanted");
    await Promise.all(recorders.map((recorder) => recorder.stop()));
  });

  /** Deletes the events, as if the webhooks service had never received them. */
  async function forget(eventIds: string[]): Promise<void> {
    await webhooks.query(
      "with log as (delete from delivery_log where event_id = any($1)) delete from events where id = any($1)",
      [eventIds],
    );
  }

  /** Parks an event, as the relay does with one that can never be sent. */
  async function park(aggregateId: string): Promise<string> {
    const eventId = randomUUID();
    await content.query(
      `insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, parked_at, last_error)
       values ($1, $2, 'redirect.added', $3, 'r', 't', $4, '{}', now(), 'it is too large')`,
      [eventId, aggregateId, tenant.tenantId, { type: "user", id: "u", name: "U" }],
    );
    return eventId;
  }
});
