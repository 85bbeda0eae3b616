// The metrics of attempts, deliveries, endpoints, dead letters and queues (interface §14).
import { readMetrics, until } from "@tradepost/testing";
import { statements } from "../src/watch/watch-deliveries.ts";
import { listen } from "./support/listen.ts";
import { useSharedWebhooks } from "./support/use-webhooks.ts";

const MINUTES_23 = 23 * 60;

const { webhooks, receiver, tenant } = useSharedWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "10ms,10ms,10ms,10ms" });

const read = () => readMetrics(webhooks.url());
const FIRST = (held: string) => `webhooks_first_attempt_latency_seconds_count{held="${held}"}`;
const untilMetric = (series: string, value: number) =>
  until(`${series} to be ${value}`, async () => (await read())(series) === value);
const statesOf = async () => {
  const metric = await read();
  const states = ["waiting", "queued", "in_flight", "delayed", "paused"];
  return Object.fromEntries(states.map((state) => [state, metric(`webhooks_deliveries{state="${state}"}`)]));
};

test("an idle service reports zeros, not nothing", async () => {
  const metric = await read();
  expect(await statesOf()).toEqual({ waiting: 0, queued: 0, in_flight: 0, delayed: 0, paused: 0 });
  const zero = [
    "webhooks_oldest_waiting_seconds",
    "webhooks_dead_letters",
    "broker_blocked",
    'poison_messages{queue="webhooks.poison"}',
    'webhooks_attempts_total{outcome="timeout"}',
    'webhooks_endpoints{health="failing"}',
    'webhooks_endpoints{health="down"}',
    'notices_open{kind="delivery_failed"}',
    ...["outbox_pending", "outbox_oldest_seconds", "outbox_parked", "postgres_pool_waiting"],
    ...['signature_refused_total{reason="clock"}', "idempotency_replays_total"],
  ];
  expect(zero.map((series) => [series, metric(series)])).toEqual(zero.map((series) => [series, 0]));
  const roles = ["publisher", "dispatch", "fan-out", "relay", "replay"];
  expect(roles.map((role) => metric(`broker_connected{role="${role}"}`))).toEqual(roles.map(() => 1));
  expect(metric('postgres_pool_connections{state="idle"}')).toBeGreaterThan(0);
});

test("attempts are counted by outcome, with their durations, and the first ones with the time since the commit", async () => {
  const expectMetrics = async (wanted: Record<string, number>) => {
    const metric = await read();
    expect(Object.fromEntries(Object.keys(wanted).map((series) => [series, metric(series)]))).toEqual(wanted);
  };
  const ago = new Date(Date.now() - 40_000).toISOString();
  const { id } = await tenant.deliver("/succeeds", "delivered", { occurred_at: ago });
  await expectMetrics({
    'webhooks_attempts_total{outcome="delivered"}': 1,
    webhooks_attempt_duration_seconds_count: 1,
    'webhooks_first_attempt_latency_seconds_bucket{le="30",held="no"}': 0,
    'webhooks_first_attempt_latency_seconds_bucket{le="60",held="no"}': 1,
    'webhooks_endpoints{health="healthy"}': 1,
  });

  receiver.behave(() => 500);
  await tenant.emit();
  await tenant.untilDelivery(id, "failed");
  await expectMetrics({
    'webhooks_attempts_total{outcome="http_status"}': 5,
    [FIRST("no")]: 2,
    'webhooks_endpoints{health="failing"}': 1,
    'webhooks_endpoints{health="healthy"}': 0,
    webhooks_dead_letters: 1,
    'notices_open{kind="endpoint_failing"}': 1,
    'notices_open{kind="delivery_failed"}': 1,
    'notices_open{kind="endpoint_down"}': 0,
  });
  // As if it had failed for an hour.
  await webhooks.set("subscriptions", id, "down_since = now()");
  await expectMetrics({ 'webhooks_endpoints{health="down"}': 1, 'webhooks_endpoints{health="failing"}': 0 });
  await tenant.unsubscribe(id);
  await expectMetrics({ 'webhooks_endpoints{health="down"}': 0, 'notices_open{kind="delivery_failed"}': 0 });
});

test("a first attempt that a pause held back counts as held by the tenant", async () => {
  receiver.behave(() => 200);
  const paused = webhooks.tenant();
  const { id } = await paused.subscribe("/paused");
  const before = await read();
  await paused.setActive(id, false);
  await paused.emit();
  await paused.untilDelivery(id, "paused");
  await paused.setActive(id, true);
  await paused.untilDelivery(id, "delivered");
  let metric = await read();
  const delivered = 'webhooks_attempts_total{outcome="delivered"}';
  expect((metric(delivered) ?? 0) - (before(delivered) ?? 0)).toBe(1);
  expect(metric(FIRST("no"))).toBe(before(FIRST("no")));
  expect(metric(FIRST("tenant"))).toBe((before(FIRST("tenant")) ?? 0) + 1);

  await paused.emit();
  await untilMetric(delivered, (before(delivered) ?? 0) + 2);
  metric = await read();
  expect((metric(FIRST("no")) ?? 0) - (before(FIRST("no")) ?? 0)).toBe(1);
  await paused.unsubscribe(id);
});

test("what waited for an endpoint that hung counts as held by the endpoint, and its next event does not", async () => {
  const EVENTS = 20;
  const respond = receiver.hold();
  const slow = webhooks.tenant();
  const { id } = await slow.subscribe("/comes-back");
  const before = await read();
  const counted = async (by: string) => ((await read())(FIRST(by)) ?? 0) - (before(FIRST(by)) ?? 0);
  await slow.emitMany(EVENTS);
  // A new endpoint starts with two attempts at a time.
  await until("two attempts, and a backlog", async () => {
    const { waiting } = await statesOf();
    return receiver.at("/comes-back").length === 2 && waiting === EVENTS - 2;
  });
  // As if they had waited for a minute: longer than the platform takes to send them.
  await webhooks.query(
    "update deliveries set created_at = now() - interval '1 minute' where subscription_id = $1 and queue_state = 'waiting'",
    id,
  );
  receiver.behave(() => 200);
  respond(200);
  await until(
    "all of them to be delivered",
    async () => (await counted("no")) + (await counted("endpoint")) === EVENTS,
  );
  expect([await counted("no"), await counted("endpoint")]).toEqual([2, EVENTS - 2]);
  await until("the last attempts to end", async () => (await statesOf()).in_flight === 0);

  await slow.emit();
  await until("the next event", async () => (await counted("no")) === 3);
  expect(await counted("endpoint")).toBe(EVENTS - 2);
  await slow.unsubscribe(id);
});

test("a backlog shows, with the age of its oldest delivery", async () => {
  const EVENTS = 150;
  const respond = receiver.hold();
  const slow = webhooks.tenant();
  const { id } = await slow.subscribe("/hangs");
  await slow.emitMany(EVENTS);
  await until("the backlog", async () => {
    const { waiting = 0, in_flight: inFlight = 0 } = await statesOf();
    return inFlight > 0 && waiting + inFlight === EVENTS;
  });
  // As if the first ones had waited for 23 minutes.
  await webhooks.query(
    `update deliveries set next_attempt_at = now() - $1 * interval '1 second'
      where ctid = any(array(select ctid from deliveries where queue_state = 'waiting' limit 10))`,
    MINUTES_23,
  );
  expect((await read())("webhooks_oldest_waiting_seconds")).toBeGreaterThanOrEqual(MINUTES_23);

  await slow.setActive(id, false);
  await until("all that wait to be paused", async () => (await statesOf()).waiting === 0);
  expect((await statesOf()).paused).toBeGreaterThan(0);
  expect((await read())('webhooks_endpoints{health="paused"}')).toBe(1);
  expect((await read())("webhooks_oldest_waiting_seconds")).toBeLessThan(MINUTES_23);

  // As if the pause had been long.
  await webhooks.query(
    "update deliveries set created_at = created_at - $1 * interval '1 second' where status = 'paused'",
    MINUTES_23,
  );
  await slow.setActive(id, true);
  await until("all that were paused to wait", async () => {
    const { waiting = 0, paused = 0 } = await statesOf();
    return waiting > 0 && paused === 0;
  });
  const due =
    "select from deliveries where queue_state = 'waiting' and next_attempt_at < now() - $1 * interval '1 second'";
  expect(await webhooks.query(due, MINUTES_23)).not.toEqual([]);
  expect((await read())("webhooks_oldest_waiting_seconds")).toBeLessThan(MINUTES_23);
  await slow.unsubscribe(id);
  receiver.behave(() => 200);
  respond(200);
  await until("the last attempts to end", async () => (await statesOf()).in_flight === 0);
});

test("what waits for a listener is not late, and what it has leased is in flight", async () => {
  const listener = await listen(tenant);
  await tenant.emit();
  await tenant.emit();
  await until("both to wait", async () => (await statesOf()).waiting === 2);
  await webhooks.query("update deliveries set next_attempt_at = now() - interval '1 day'");
  expect((await read())("webhooks_oldest_waiting_seconds")).toBe(0);
  expect(await listener.lease({ limit: 1 })).toHaveLength(1);
  expect(await statesOf()).toMatchObject({ waiting: 1, in_flight: 1 });
  await tenant.owner().delete(listener.path);
  await until("the deliveries to be cancelled", async () => (await statesOf()).waiting === 0);
});

test("the gauges read deliveries in the order of an index, also where the planner believes the table to be empty", async () => {
  const client = await webhooks.pool.connect();
  for (const setting of ["role = tradepost_webhooks", "enable_seqscan = off", "enable_bitmapscan = off"])
    await client.query(`set ${setting}`);
  for (const text of statements) {
    const { rows } = await client.query<Record<"QUERY PLAN", string>>(`explain ${text}`);
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    // The paused deliveries of one subscription may be sorted as long as statistics say that there are few.
    expect(plan).not.toMatch(/Sort Key: .*(next_attempt_at|locked_until)|Seq Scan on deliveries/);
    expect(plan).toMatch(/deliveries_waiting/);
  }
  client.release(true);
});

test("unreadable messages and parked entries of the outbox show, and a lost table does not hide the rest", async () => {
  await webhooks.publish("platform.events", "redirect.added", "no event");
  await untilMetric('poison_messages{queue="webhooks.poison"}', 1);
  const pending = (await read())("outbox_pending");
  await webhooks.query(
    `insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, parked_at)
     values (gen_random_uuid(), gen_random_uuid(), 'x', $1, '', '', '{}', '{}', now())`,
    tenant.tenantId,
  );
  expect((await read())("outbox_parked")).toBe(1);
  expect((await read())("outbox_pending")).toBe(pending);

  await webhooks.query("alter table dead_letters rename to hidden");
  const metric = await read();
  expect(metric("webhooks_dead_letters")).toBeUndefined();
  expect(metric("outbox_parked")).toBe(1);
  await webhooks.query("alter table hidden rename to dead_letters");
  await untilMetric("webhooks_dead_letters", 1);
});

test("attempts that the sealing key prevents are counted", async () => {
  const { id } = await tenant.subscribe("/sealed");
  await webhooks.query("update subscriptions set secret_sealed = $2 where id = $1", id, Buffer.alloc(64));
  const failures = "webhooks_sealing_failures_total";
  expect((await read())(failures)).toBe(0);
  await tenant.emit();
  await untilMetric(failures, 1);
});
