// The operators' commands for events that did not arrive, with a running platform: they show where events are and publish them
// again.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import {
  captureMessages,
  type Receiver,
  recordStatements,
  startReceiver,
  testCertificate,
  until,
} from "@tradepost/testing";
import { connect } from "amqplib";
import { opsOn, type Ran } from "./support/run-ops.ts";
import { startTestPlatform, type TestPlatform, type TestTenant } from "./support/test-platform.ts";

describe("the operators' commands for events", () => {
  let platform: TestPlatform;
  let receiver: Receiver;
  let tenant: TestTenant;
  let content: ReturnType<typeof open>;
  let webhooks: ReturnType<typeof open>;
  let subscriptionId: string;

  beforeAll(async () => {
    [platform, receiver] = await Promise.all([
      startTestPlatform({
        ...{ WEBHOOKS_RETRY_SCHEDULE: "1h", WEBHOOKS_SWEEP_GRACE_MS: "300" },
        EVENTS_TALLY_EVERY_MS: "300",
      }),
      testCertificate().then((tls) => startReceiver(tls)),
    ]);
    const statuses: Record<string, number> = { "/down": 500, "/gone?key=secret": 410 };
    receiver.behave(({ path }) => statuses[path] ?? 200);
    tenant = await platform.createTenant();
    content = open(platform.databases.content);
    webhooks = open(platform.databases.webhooks);
    const { body } = await tenant.owner.post("/v1/webhooks/subscriptions", {
      ...{ name: "Test", url: receiver.url, events: ["redirect.added"] },
    });
    subscriptionId = body.data.id;
  });

  afterAll(async () => {
    await Promise.all([content.stop(), webhooks.stop()]);
    await receiver.stop();
    await platform.stop();
  });

  const ops = (...words: string[]): Promise<Ran> => opsOn(platform)(...words);

  async function opsJson(...words: string[]) {
    const { stdout, stderr } = await ops(...words, "--json");
    return { json: JSON.parse(stdout), notes: stderr };
  }

  async function addRedirect(from: string): Promise<string> {
    const { status, body } = await tenant.key.post("/v1/redirects", { from, to: "/new" });
    expect(status).toBe(201);
    return body.data.id;
  }

  /** Waits until the only event of a resource has this state, and returns it. */
  const found = (id: string, state: string) =>
    until(`the event as ${state}`, async () => {
      const { json } = await opsJson("events", "find", id);
      return json[0]?.state === state && json[0];
    });
  const textOf = async (id: string) => (await ops("events", "find", id)).stdout;

  test("finds an event from its resource or its id, through outbox, publication and deliveries", async () => {
    const id = await addRedirect("/found");
    const event = await until("the delivery", async () => {
      const { json } = await opsJson("events", "find", id);
      return json[0]?.deliveries[0]?.status === "delivered" && json[0];
    });
    expect(event).toEqual({
      eventId: expect.any(String),
      type: "redirect.added",
      occurredAt: expect.stringMatching(/Z$/),
      service: "content",
      state: "received",
      deliveries: [{ id: expect.any(String), subscriptionId, status: "delivered" }],
    });
    expect((await opsJson("events", "find", event.eventId)).json).toEqual([event]);
    expect((await opsJson("events", "find", id, "--tenant", tenant.tenantId)).json).toEqual([event]);
    expect((await opsJson("events", "find", id, "--tenant", randomUUID())).json).toEqual([]);
    expect(await textOf(id)).toMatch(
      /redirect\.added {2}[0-9a-f-]{36} {2}\(content\): received\n {2}id +subscriptionId/,
    );

    const order = await tenant.key.post("/v1/orders", {
      customerId: tenant.customerId,
      items: [{ sku: "A-1", name: "Mug", quantity: 1, unitPrice: 5 }],
    });
    expect(order.status).toBe(201);
    await found(order.body.data.id, "published");
    expect(await textOf(order.body.data.id)).toMatch(/cannot subscribe to its type/);
    await tenant.key.patch(`/v1/orders/${order.body.data.id}`, { customerNote: "Ring twice" });
    const updated = await until("the PATCH as published", async () => {
      const { json } = await opsJson("events", "find", order.body.data.id);
      return json[1]?.state === "published" && json[1];
    });
    expect(await textOf(updated.eventId)).toMatch(/order\.updated .*\n {2}The change feed lists it/);
    expect(await ops("events", "republish", "--service", "orders", "--event", updated.eventId)).toMatchObject(
      {
        stdout: "Matched: 0. Published again: 0.\n",
        stderr: "Only the change feed lists order.updated. It is not published.\n",
      },
    );
    expect((await opsJson("events", "find", tenant.tenantId)).json).toEqual([
      expect.objectContaining({ type: "tenant.created", service: "gateway", deliveries: [] }),
    ]);
    const sent = await tenant.owner.post(`/v1/webhooks/subscriptions/${subscriptionId}/test`);
    const delivery = await tenant.owner.get(`/v1/webhooks/deliveries/${sent.body.data.id}`);
    expect((await opsJson("events", "find", delivery.body.data.eventId)).json).toEqual([
      expect.objectContaining({ service: "webhooks", state: "received" }),
    ]);
    expect(await ops("events", "find", randomUUID(), "--json")).toMatchObject({ stdout: "[]\n", code: 0 });
    expect(await textOf(randomUUID())).toMatch(/^No event is kept/);
  });

  test("publishes lost events again, in order, and says which it leaves out", async () => {
    const before = new Date().toISOString();
    const ids = [await addRedirect("/lost-1"), await addRedirect("/lost-2")];
    const republish = (...words: string[]) => ops("events", "republish", "--service", "content", ...words);
    const events = await until("the deliveries", async () => {
      const list = await Promise.all(ids.map((id) => found(id, "received")));
      return list.every(({ deliveries }) => deliveries[0]?.status === "delivered") && list;
    });
    const eventIds = events.map(({ eventId }) => eventId);
    await forget(eventIds);
    expect(await textOf(ids[0] ?? "")).toMatch(
      /has not received it.*events republish --service content --event/,
    );
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
    await content.pool.query("delete from outbox where event_id = $1", [parked]);
  });

  test("shows parked events, and publishes them once they are unparked", async () => {
    const eventId = await park(randomUUID());
    const listed = await ops("outbox");
    expect(listed.stdout).toMatch(/content +0 +0 +1\n/);
    expect(listed.stdout).toMatch(new RegExp(`content +${eventId} +redirect.added .*it is too large`));
    expect(await ops("outbox", "unpark", "--event", randomUUID(), "--json")).toEqual({
      ...{ code: 0, stdout: '{\n  "unparked": 0\n}\n' },
      stderr: "No parked event has this id.\n",
    });
    expect((await opsJson("outbox", "unpark", "--event", eventId)).json).toEqual({ unparked: 1 });
    await found(eventId, "received");
    await park(randomUUID());
    expect((await opsJson("outbox", "unpark", "--all")).json).toEqual({ unparked: 1 });
    const outboxes = await until("an empty outbox", async () => {
      const { json } = await opsJson("outbox");
      return json[2].pending === 0 && json;
    });
    expect(outboxes[2]).toMatchObject({ service: "content", parked: 0 });
  });

  test("counts what waits, by tenant and by endpoint, the oldest first", async () => {
    await until(
      "the deliveries of the test before",
      async () => (await ops("backlog")).stdout === "No deliveries wait.\n",
    );
    const other = await platform.createTenant();
    const endpoints: string[] = [];
    for (const [owner, path, events] of [
      [tenant.owner, "/down", ["redirect.removed"]],
      [other.owner, "/down", ["redirect.added"]],
    ] as const) {
      const body = { name: "Down", url: receiver.url + path, events };
      endpoints.push((await owner.post("/v1/webhooks/subscriptions", body)).body.data.id);
    }
    const [{ body: list }] = [await tenant.key.get("/v1/redirects")];
    for (const { id } of list.data.slice(0, 2)) await tenant.key.delete(`/v1/redirects/${id}`);
    await other.key.post("/v1/redirects", { from: "/waits", to: "/new" });
    const byTenant = await until("the attempts", async () => {
      const { json } = await opsJson("backlog");
      return json.length === 2 && json.every((row: { failing: number }) => row.failing > 0) && json;
    });
    const row = { oldestSeconds: expect.any(Number), failing: expect.any(Number) };
    expect(byTenant).toEqual([
      { tenantId: tenant.tenantId, waiting: 2, ...row },
      { tenantId: other.tenantId, waiting: 1, ...row },
    ]);
    const { json: oldest } = await opsJson(
      "deliveries",
      "list",
      "--subscription",
      String(endpoints[0]),
      "--oldest",
    );
    const ofEndpoint = { ...row, host: new URL(receiver.url).host, lastOutcome: "http_status 500" };
    expect((await opsJson("backlog", "--by", "endpoint")).json).toEqual([
      {
        ...{ tenantId: tenant.tenantId, subscriptionId: endpoints[0], waiting: 2, ...ofEndpoint },
        oldestDeliveryId: oldest[0].deliveryId,
      },
      {
        ...{ tenantId: other.tenantId, subscriptionId: endpoints[1], waiting: 1, ...ofEndpoint },
        oldestDeliveryId: expect.any(String),
      },
    ]);
    const deliveries = oldest.map((delivery: { createdAt: string }) => ({
      ...delivery,
      createdAt: new Date(delivery.createdAt),
    }));
    expect(deliveries).toEqual([
      expect.objectContaining({ createdAt: expect.any(Date) }),
      {
        deliveryId: expect.any(String),
        ...{ tenantId: tenant.tenantId, subscriptionId: endpoints[0], type: "redirect.removed" },
        ...{ status: "retrying", attemptCount: 1, lastOutcome: "http_status 500" },
        ...{ createdAt: expect.any(Date), nextAttemptAt: expect.stringMatching(/Z$/) },
      },
    ]);
    const idsOf = async (...words: string[]) =>
      (await opsJson("deliveries", "list", "--subscription", String(endpoints[0]), ...words)).json.map(
        ({ deliveryId }: { deliveryId: string }) => deliveryId,
      );
    const [first, second] = oldest.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
    expect(await idsOf()).toEqual([second, first]);
    expect(await idsOf("--status", "retrying", "--oldest", "--limit", "1")).toEqual([first]);
    expect(await idsOf("--status", "delivered")).toEqual([]);
    expect(await idsOf("--tenant", other.tenantId)).toEqual([]);
    await tenant.owner.delete(`/v1/webhooks/subscriptions/${endpoints[0]}`);
    await other.owner.delete(`/v1/webhooks/subscriptions/${endpoints[1]}`);
    await until("no backlog", async () => (await opsJson("backlog")).json.length === 0);
    expect(await idsOf("--tenant", tenant.tenantId, "--status", "cancelled")).toEqual([second, first]);
    expect(await ops("deliveries", "list", "--subscription", String(endpoints[0]))).toEqual({
      ...{ code: 1, stdout: "" },
      stderr: "No subscription has this id. If it was deleted, add --tenant <id>.\n",
    });
  });

  test("lists the notices of all tenants, or some of them, as their tenants see them", async () => {
    expect((await ops("notices", "list")).stdout).toBe("There are no notices.\n");
    const owners = [tenant, await platform.createTenant()];
    const gone: { tenantId: string; id: string }[] = [];
    for (const { tenantId, owner, key } of owners) {
      const url = `${receiver.url}/gone?key=secret`;
      const body = { name: "Gone", url, events: ["redirect.added"] };
      const { id } = (await owner.post("/v1/webhooks/subscriptions", body)).body.data;
      await key.post("/v1/redirects", { from: `/${randomUUID()}`, to: "/new" });
      gone.push({ tenantId, id });
      await until("the notice", async () => (await opsJson("notices", "list")).json.length === gone.length);
    }
    const [first, second] = gone as [(typeof gone)[0], (typeof gone)[0]];
    const idsOf = async (...filter: string[]) =>
      (await opsJson("notices", "list", ...filter)).json.map(
        ({ subscriptionId }: { subscriptionId: string }) => subscriptionId,
      );
    const { json } = await opsJson("notices", "list", "--tenant", second.tenantId);
    const { data } = (await owners[1]?.key.get("/v1/notices"))?.body ?? {};
    expect(data).toMatchObject([{ kind: "endpoint_gone", subscriptionId: second.id, closedAt: null }]);
    expect(json).toEqual([{ tenantId: second.tenantId, ...data[0] }]);
    expect(await idsOf()).toEqual([second.id, first.id]);
    expect(await idsOf("--subscription", first.id, "--kind", "endpoint_gone")).toEqual([first.id]);
    expect(await idsOf("--kind", "endpoint_down")).toEqual([]);
    await tenant.owner.delete(`/v1/webhooks/subscriptions/${first.id}`);
    expect(await idsOf("--open")).toEqual([second.id]);
    expect(await idsOf()).toEqual([second.id, first.id]);
    const { stdout } = await ops("notices", "list", "--open");
    const host = new URL(receiver.url).host;
    expect(stdout).toMatch(/^tenantId +kind +subscriptionId +subject +openedAt +closedAt +whatHappensNext\n/);
    expect(stdout).toContain(`Gone (${host})`);
    expect(stdout).toContain(data[0].whatHappensNext);
    expect(stdout).not.toContain("secret");
    await owners[1]?.owner.delete(`/v1/webhooks/subscriptions/${second.id}`);
  });

  test("lists every poison queue with the source of its messages, and puts them back", async () => {
    const connection = await connect(platform.broker.amqpUrl);
    const channel = await connection.createConfirmChannel();
    const send = (exchange: string, key: string, body: object, options = {}) =>
      channel.publish(exchange, key, Buffer.from(JSON.stringify(body)), { persistent: true, ...options });
    send("", "webhooks.deliveries", { a: 1 }, { messageId: "job" });
    send("", "gateway.audit", { a: 1 }, { messageId: "entry" });
    send("", "content.media", { a: 1 }, { messageId: "image" });
    send("", "webhooks.poison", { a: 1 }, { messageId: "by hand" });
    // An event that an earlier version could not read.
    const event = {
      ...{ id: randomUUID(), type: "redirect.added", tenant_id: tenant.tenantId, request_id: "r" },
      ...{ occurred_at: new Date().toISOString(), actor: { type: "user", id: "u", name: "U" }, data: {} },
    };
    const death = {
      queue: "webhooks.events",
      reason: "rejected",
      count: 1,
      exchange: "",
      "routing-keys": ["x"],
    };
    send("", "webhooks.poison", event, { messageId: event.id, headers: { "x-death": [death] } });
    await channel.waitForConfirms();
    const rows = await until("the poison", async () => {
      const { json } = await opsJson("poison", "list");
      return json.length === 5 && (json as { messageId: string }[]);
    });
    const at = expect.stringMatching(/Z$/);
    const byId = new Map(rows.map((row) => [row.messageId, row]));
    expect(byId.get("job")).toEqual({
      ...{ queue: "webhooks.poison", source: "webhooks.deliveries", at, messageId: "job" },
      reason: expect.stringMatching(/^not a delivery: delivery_id/),
    });
    expect(byId.get("entry")).toEqual({
      ...{ queue: "gateway.audit.poison", source: "gateway.audit", at, messageId: "entry" },
      reason: expect.stringMatching(/^not an event: /),
    });
    expect(byId.get("image")).toMatchObject({ queue: "content.poison", source: "content.media" });
    expect(byId.get("by hand")).toEqual({
      ...{ queue: "webhooks.poison", source: null, at: null, messageId: "by hand" },
      reason: expect.stringMatching(/^not an event: /),
    });
    expect(byId.get(event.id)).toMatchObject({ reason: "the consumer rejected it; it can be read now" });

    expect((await opsJson("poison", "redrive", "--message", event.id)).json).toEqual({
      matched: 1,
      redriven: 1,
    });
    await found(event.id, "received");
    // A message that still cannot be read comes back. A message of unknown origin stays.
    expect(await ops("poison", "redrive")).toEqual({
      code: 1,
      stdout: "Matched: 4. Put back: 3.\n",
      stderr: expect.stringMatching(/^The others stay/),
    });
    await until("all of them again", async () => (await opsJson("poison", "list")).json.length === 4);
    expect((await opsJson("poison", "purge", "--queue", "content.poison", "--yes")).json).toEqual({
      purged: 1,
    });
    expect((await opsJson("poison", "purge", "--yes")).json).toEqual({ purged: 3 });
    expect((await opsJson("poison", "list")).json).toEqual([]);
    await connection.close();
  });

  test("notices a purged webhooks.events by a metric, and the command in the log mends it", async () => {
    const lines: { command?: string; missing?: number }[] = [];
    const log = Object.assign(createLogger("test", "silent"), {
      error: (line: object) => void lines.push(line),
    });
    const printed = (count: number) =>
      until("the log line", () => lines.find((line) => line.missing === count)?.command);
    const wordsOf = (command: string) => /^npm run ops -- (.*)$/.exec(command)?.[1]?.split(" ") ?? [];
    const gauge = (name: string, { url }: { url: string }) => readGauge(url, name);
    const connection = await connect(platform.broker.amqpUrl);
    const channel = await connection.createChannel();
    await until("the first tally", async () => (await webhooks.pool.query("table tallies")).rowCount === 1);

    await platform.stopWebhooks();
    const ids = [
      await addRedirect("/purged-1"),
      await addRedirect("/purged-2"),
      await addRedirect("/purged-3"),
    ];
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
    expect((await opsJson(...words)).json).toEqual({ matched: 3, republished: 3 });
    await until("the metric", async () => (await gauge("events_missing", replica)) === 0);
    for (const id of ids) await found(id, "received");
    expect(await gauge("events_untallied_seconds", replica)).toBe(0);

    // Both queues are purged, so only the time of publication is known, not which events are missing.
    await replica.stop();
    const both = await addRedirect("/purged-4");
    await until("the message", async () => (await channel.checkQueue("webhooks.events")).messageCount === 1);
    await until("its tally", async () => {
      const { rows } = await content.pool.query(
        "select from event_tally where tallied_until > (select max(published_at) from published_events)",
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
      const { rows } = await content.pool.query(
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
      ["find", id],
      ["find", eventId],
      ["republish", "--service", "content", "--event", eventId],
      ["republish", "--service", "content", "--since", new Date(Date.now() - 60_000).toISOString()],
    ])
      expect(await recorded("events", ...words)).toMatchObject({ code: 0 });
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
    await webhooks.pool.query(
      "with log as (delete from delivery_log where event_id = any($1)) delete from events where id = any($1)",
      [eventIds],
    );
  }

  /** Parks an event, as the relay does with one that can never be sent. */
  async function park(aggregateId: string): Promise<string> {
    const eventId = randomUUID();
    await content.pool.query(
      `insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, parked_at, last_error)
       values ($1, $2, 'redirect.added', $3, 'r', 't', $4, '{}', now(), 'it is too large')`,
      [eventId, aggregateId, tenant.tenantId, { type: "user", id: "u", name: "U" }],
    );
    return eventId;
  }
});

/** Returns a gauge of the content service's events; undefined if it is missing. */
async function readGauge(url: string, name: string): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = new RegExp(`^${name}{.*producer="content".*} (\\S+)$`, "m").exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

function open(url: string) {
  return connectPostgres({ url, name: "test", connectionsMax: 1, logger: createLogger("test", "silent") });
}
