// Prepared statements find rows by an index, even with plans that were made while the tables were nearly empty.
import { randomUUID } from "node:crypto";
import { IN_INDEX_ORDER } from "@tradepost/postgres";
import { multiplyRows, recordStatements, until } from "@tradepost/testing";
import type pg from "pg";
import { firstIdAt } from "../src/delivery/ids.ts";
import { deliveredStatement } from "../src/log/ledger-store.ts";
import { type DeliveryFilter, pageStatement } from "../src/log/list-deliveries.ts";
import { readDeliveryTotals, totalsStatements } from "../src/watch/read-delivery-totals.ts";
import { exampleData } from "./support/example-data.ts";
import { listen, type TestListener } from "./support/listen.ts";
import { insertDelivered } from "./support/past-days.ts";
import { rowsRead, rowsReadByTenant } from "./support/rows-read.ts";
import { startWithReceiver } from "./support/use-webhooks.ts";
import type { TestTenant } from "./support/webhooks.ts";

const ROWS = 20_000;
// The number of rows that a page of the log may search.
const SEARCHED_MAX = 10_000;

const { webhooks, receiver, stop } = await startWithReceiver({ WEBHOOKS_RETRY_SCHEDULE: "50ms,1h" });
const recorder = await recordStatements(webhooks.databaseUrl);
afterAll(async () => {
  await recorder.stop();
  await stop();
});

test("statements prepared on small tables read few rows of large ones", async () => {
  await useService();
  const reads = await recorder.largeReads(fill);
  expect(reads.filter(({ text }) => !isPlannedByStatistics(text) && !countsMany(text))).toEqual([]);
  const parts = [
    ...["insert into deliveries", "using target", "skip locked", "for no key update"],
    ...["former_targets", "from events", "from all_deliveries", "idempotency_records"],
    ...["update listeners", '"leasedUntil"', '"recordedOutcome"', "json_build_object"],
    ...["as page (id, created_at, completed_at)"],
  ];
  expect(parts.filter((part) => !recorder.texts().some((text) => text.includes(part)))).toEqual([]);
});

describe("with 60,000 open deliveries of the last five days", () => {
  const HOUR_MS = 3_600_000;
  const PER_HOUR = 500;
  const tenantId = randomUUID();
  const subscriptionId = randomUUID();
  const now = Date.now();

  beforeAll(async () => {
    const hours = Array.from({ length: 120 }, (_, ago) => new Date(now - ago * HOUR_MS));
    // Ids that begin with the time, as services make them.
    const prefixes = hours.map((at) => firstIdAt(at).slice(0, 14));
    await webhooks.query(FILL_HOURS, tenantId, subscriptionId, prefixes, hours, PER_HOUR);
    await webhooks.query("analyze deliveries, events, attempts");
  });

  test("ops verify reads the deliveries of its period, a day at a time", async () => {
    const since = new Date(now - 84.5 * HOUR_MS);
    const counts: number[] = [];
    for (const statement of totalsStatements(since, 20, new Date(now)))
      counts.push(await rowsRead(webhooks.db, statement, "deliveries"));
    // The ids that other tests made have no time, so the last portion has them.
    expect(counts.slice(0, -1).every((count) => count <= 24 * PER_HOUR)).toBe(true);
    const totals = await readDeliveryTotals(webhooks.db, since, 20);
    expect(totals.find((one) => one.tenantId === tenantId)).toMatchObject({
      ...{ matched: 85 * PER_HOUR, inFlight: 85 * PER_HOUR, delivered: 0, mismatchedCount: 0 },
    });
  });

  test.each<[DeliveryFilter]>([
    [{ status: "retrying" }],
    [{ status: "cancelled" }],
    [{ status: "paused" }],
    [{ status: "failed" }],
    [{ outcome: "tls_failed" }],
    [{ statusCode: 410 }],
    [{ statusCode: 204 }],
  ])("a page of the log with %j, which none has, reads a bounded number of them", async (filter) => {
    const statement = pageStatement(tenantId, { limit: 25, cursor: null, ...filter });
    const count = await rowsReadByTenant(webhooks, tenantId, statement, IN_INDEX_ORDER);
    expect(count).toBeLessThan(5 * SEARCHED_MAX);
  });
});

describe("with 25,000 events in one hour", () => {
  const COUNT = 25_000;
  const DAY_MS = 24 * 3_600_000;
  const from = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS);
  const hour = { from, to: new Date(from.getTime() + 3_600_000) };
  const tenantId = randomUUID();
  const all = randomUUID();

  beforeAll(async () => {
    const prefix = firstIdAt(from).slice(0, 14);
    await insertDelivered(webhooks.pool, tenantId, all, TEN_A_SECOND, prefix, from, COUNT);
    await webhooks.query("analyze events, delivery_log");
  });

  test.each([
    ["that got all of them", all, 3 * 100],
    ["that got none of them", randomUUID(), 3 * SEARCHED_MAX],
  ])("a page of the ledger of a subscription %s reads few rows", async (_, subscriptionId, readMax) => {
    const middle = { createdAt: new Date(from.getTime() + COUNT * 50), id: randomUUID() };
    for (const cursor of [null, middle]) {
      const statement = deliveredStatement(tenantId, subscriptionId, hour, { limit: 100, cursor });
      expect(await rowsReadByTenant(webhooks, tenantId, statement, IN_INDEX_ORDER)).toBeLessThan(readMax);
    }
  });
});

const TEN_A_SECOND = `
  select ($3 || substr(gen_random_uuid()::text, 15))::uuid as id, $4::timestamptz + n * interval '100 ms' as at
    from generate_series(0, $5::integer - 1) as n`;

const FILL_HOURS = `
  with filled as (
    select (prefix || substr(gen_random_uuid()::text, 15))::uuid as id, at
      from unnest($3::text[], $4::timestamptz[]) as hour (prefix, at), generate_series(1, $5::integer)
  ), event as (
    insert into events (tenant_id, id, type, occurred_at, request_id, data, matched)
    select $1, id, 'redirect.added', at, 'r', '{}', 1 from filled
  )
  insert into deliveries (tenant_id, id, subscription_id, event_id, type, status, queue_state, next_attempt_at, created_at)
  select $1, id, $2, id, 'redirect.added', 'pending', 'waiting', now() + interval '1 day', at from filled`;

// The bounds count all waiting deliveries, once a minute.
function countsMany(text: string): boolean {
  return /with recursive\s+tenant as|with event as \(\s+select happened|"deliveriesWaiting"/.test(text);
}

// Two indexes have the order of these statements. Until the next analyze, an old plan may scan the index of the whole tenant.
function isPlannedByStatistics(text: string): boolean {
  return /order by "?created_at"?( desc)?, "?id"?/.test(text);
}

async function fill(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ id: string }>("select id from subscriptions");
  await multiplyRows(owner, ROWS);
  // A tenant has at most 50 subscriptions and 20 listeners.
  const ids = [rows.map(({ id }) => id)];
  await owner.query("delete from endpoints where subscription_id <> all($1)", ids);
  await owner.query("delete from listeners where subscription_id <> all($1)", ids);
  await owner.query("delete from subscriptions where id <> all($1)", ids);
  // One for each running process.
  await owner.query("delete from dispatchers");
  // The relay's statements have a test in orders.
  await owner.query("delete from outbox");
}

/** Sends the requests that read one resource, or a list that an index serves. */
async function readEverything(tenant: TestTenant, deliveryId: string): Promise<void> {
  const owner = tenant.owner();
  const { eventId, subscriptionId, createdAt } = await tenant.delivery(deliveryId);
  const key = { "idempotency-key": "a" };
  const recovery = await tenant.act(subscriptionId, "recover", { since: "2020-01-01T00:00:00Z" }, key);
  for (const include of ["missing", "all"]) await tenant.replay(subscriptionId, include);
  await owner.post("/v1/webhooks/subscriptions/filter-preview", { events: ["redirect.added"] });
  const { resourceId } = await tenant.get(`events/${eventId}`);
  const lists = [
    `eventId=${eventId}`,
    `eventId=${eventId}&include=lastAttempt`,
    `createdAfter=${createdAt}`,
    "status=failed",
    "outcome=timeout",
  ];
  for (const path of [
    `recoveries/${recovery.body.data.id}`,
    `subscriptions/${subscriptionId}/replays`,
    `ledger?subscriptionId=${subscriptionId}&day=${createdAt.slice(0, 10)}`,
    `ledger/deliveries?subscriptionId=${subscriptionId}&hour=${createdAt.slice(0, 13)}`,
    ...lists.map((query) => `deliveries?${query}`),
    ...["events", `events?resourceId=${resourceId}`, `events?createdBefore=${createdAt}`],
    "subscriptions?active=true",
  ]) {
    const { status } = await owner.get(`/v1/webhooks/${path}`);
    expect([path, status]).toEqual([path, 200]);
  }
}

/** Leases, reports each kind of result, waits, expires, resumes and deletes. */
async function useListener(tenant: TestTenant): Promise<void> {
  const [listener, deleted] = [await listen(tenant), await listen(tenant)];
  await tenant.emit();
  await tenant.emit();
  for (const statusCode of [200, 500]) {
    const [leased] = await listener.lease({ limit: 1, waitSeconds: 25 });
    const result = { attempt: 1, statusCode, durationMs: 1 };
    await listener.report(leased?.deliveryId ?? "", result);
    expect((await listener.report(leased?.deliveryId ?? "", result)).status).toBe(200);
  }
  const [again] = await listener.lease({ waitSeconds: 25 });
  expect(again?.attempt).toBe(2);
  const redeliver = `${listener.path}/deliveries/${again?.deliveryId}/redeliver`;
  expect((await tenant.owner().post(redeliver, undefined, { "idempotency-key": "b" })).status).toBe(202);
  await tenant.owner().delete(deleted.path);
  await expire(listener);
  expect((await listener.lease()).length).toBe(1);
  await listener.report(again?.deliveryId ?? "", { attempt: 1, statusCode: 200, durationMs: 1 });
  expect((await tenant.get("listeners")).length).toBe(1);
  // Otherwise the copies of its later deliveries would belong to 20,000 listeners.
  await expire(listener);
}

async function expire({ read }: TestListener): Promise<void> {
  await webhooks.query("update listeners set expires_at = now()");
  await until("the expiry", async () => !(await read()).active);
}

/** Makes the service deliver, retry, pause, resume, sweep and delete. Its statements are recorded. */
async function useService(): Promise<void> {
  await webhooks.restart({
    WEBHOOKS_DATABASE_URL: recorder.through(webhooks.serviceUrl),
    WEBHOOKS_SWEEP_GRACE_MS: "200",
    WEBHOOKS_CONCURRENCY: "4",
  });
  const tenant = webhooks.tenant();
  receiver.behave(({ headers, path }) =>
    path === "/dead" || (path === "/retried" && headers["x-service-attempt"] === "1") ? 500 : 200,
  );
  const [retried, healthy, dead] = await Promise.all(
    ["/retried", "/healthy", "/dead"].map((path) => tenant.subscribe(path)),
  );
  if (!retried || !healthy || !dead) throw new Error("no subscriptions");
  const allDelivered = (id: string, count: number) => tenant.untilAll(id, "delivered", count);
  await tenant.emit({}, { data: exampleData("redirect.added", { id: randomUUID() }) });
  await Promise.all([allDelivered(retried.id, 1), allDelivered(healthy.id, 1)]);
  // More than may start at once: some wait and are claimed as others end.
  await Promise.all(Array.from({ length: 40 }, (_, number) => tenant.emit({ number })));
  await Promise.all([allDelivered(retried.id, 41), allDelivered(healthy.id, 41)]);
  expect((await tenant.owner().get("/internal/usage?counts=true")).status).toBe(200);
  await tenant.setActive(healthy.id, false);
  await tenant.emit({}, { data: exampleData("redirect.added", { id: randomUUID() }) });
  await allDelivered(retried.id, 42);
  await tenant.setActive(healthy.id, true);
  await allDelivered(healthy.id, 42);
  const [{ id: delivered }] = await tenant.deliveries(healthy.id);
  await tenant.redeliver(delivered);
  await allDelivered(healthy.id, 42);
  // The sweep publishes deliveries without a message, and repeats those that a dead process had claimed.
  await webhooks.copyDelivery(delivered, 2, { lockedFor: "-1 second" });
  await allDelivered(healthy.id, 44);
  await tenant.unsubscribe(dead.id);
  await useListener(tenant);
  await readEverything(tenant, delivered);
  // One row remains in each table, to be copied.
  receiver.behave(() => 500);
  await tenant.emit();
  await until("failures", async () =>
    (await tenant.deliveries(healthy.id)).some(({ status }) => status === "retrying"),
  );
  // Copies of a waiting delivery would belong to 20,000 endpoints, which the service reads.
  await webhooks.untilNone("select from deliveries where queue_state = 'waiting'");
}
