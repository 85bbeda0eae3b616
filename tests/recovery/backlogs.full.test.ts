// Backlogs of the relay, of fan-out and of a reconciliation: they take bounded memory, delay no new event, and are continued by the
// next process when one dies.
import { randomUUID } from "node:crypto";
import { until } from "@tradepost/testing";
import { type CrashingService, startCrashPlatform } from "../support/crash-platform.ts";
import { newCrashTenant } from "../support/crash-tenant.ts";
import { peakMib } from "../support/peak-mib.ts";

const platform = await startCrashPlatform();
afterAll(() => platform.stop());
// A failed test may have left a service dead.
beforeEach(() => platform.startAgain("content", "webhooks"));

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const ACTOR = '{"type":"user","id":"u-1","name":"Ada"}';
const RESIDENT_MIB_MAX = 480;
const DELIVERY_TIMEOUT_MS = 280_000;
const HUGE_EVENTS = 120;
const HUGE_BYTES = 1_900_000;
// The length of an MD5 digest in hexadecimal digits.
const CHUNK_BYTES = 32;

const INSERT_HUGE = `
  insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
  select gen_random_uuid(), gen_random_uuid(), 'redirect.added', $1, 'request-1', '${TRACEPARENT}', '${ACTOR}',
         ('{"redirect":{"id":"' || n || '","to":"' || repeat(md5(n::text), $3::integer) || '"}}')::json
    from generate_series(1, $2::integer) n`;

async function countIn(service: CrashingService, table: string, tenantId: string): Promise<number> {
  const count = `select count(*)::int as count from ${table} where tenant_id = $1`;
  return (await platform[service].query<{ count: number }>(count, [tenantId])).rows[0]?.count ?? 0;
}

// The relay and fan-out have no more than a few batches in memory.
test(
  "of large events takes less than 480 MiB of memory, in the outbox and in the queue",
  async () => {
    const tenantId = randomUUID();
    // The service is stopped, so that all events are in its queue when it starts.
    await platform.kill("webhooks");
    await platform.content.query(INSERT_HUGE, [tenantId, HUGE_EVENTS, Math.ceil(HUGE_BYTES / CHUNK_BYTES)]);
    const isPublished = async () => (await countIn("content", "outbox", tenantId)) === 0;
    await until("an empty outbox", isPublished, DELIVERY_TIMEOUT_MS);
    await platform.startAgain("webhooks");
    const isReceived = async () => (await countIn("webhooks", "events", tenantId)) === HUGE_EVENTS;
    await until("every event in the webhooks service", isReceived, DELIVERY_TIMEOUT_MS);
    for (const service of ["content", "webhooks"] as const)
      expect(peakMib(platform.pidOf(service))).toBeLessThan(RESIDENT_MIB_MAX);
    // The replay of a later test would publish them again.
    await platform.content.query("delete from published_events where tenant_id = $1", [tenantId]);
    await platform.webhooks.query("delete from events where tenant_id = $1", [tenantId]);
  },
  DELIVERY_TIMEOUT_MS + 60_000,
);

// More than two batches.
const MORE = 1_500;
// Adds paused deliveries as fan-out creates them, each with its own event.
const COPY_PAUSED = `
  with original as (
    select * from deliveries where tenant_id = $1 order by id limit 1
  ), copied_events as (
    insert into events (tenant_id, id, type, occurred_at, request_id, data, matched)
    select events.tenant_id, gen_random_uuid(), events.type, occurred_at, request_id, data, 1
      from events join original on events.id = event_id, generate_series(1, $2)
    returning id
  )
  insert into deliveries (tenant_id, id, subscription_id, event_id, type, status)
  select tenant_id, gen_random_uuid(), subscription_id, copied_events.id, type, 'paused' from original, copied_events`;

test.each([
  ["resumed", "delivered"],
  ["deleted", "cancelled"],
] as const)(
  "of a %s subscription is left to the next process by one that dies after a batch, and all of it ends %s",
  async (change, end) => {
    const tenant = await newCrashTenant(platform, "paused");
    await tenant.removeAll(await tenant.createRedirects());
    await tenant.untilSettled("paused");
    await platform.webhooks.query(COPY_PAUSED, [tenant.id, MORE]);
    const { ended } = platform.failAt("webhooks", "reconcile.batch-committed:2");
    await (change === "resumed" ? tenant.resume() : tenant.unsubscribe());
    expect(await ended).toBe("signal SIGKILL");
    // The table still has them as paused; the view of all deliveries shows what they will be.
    const paused = "select from deliveries where tenant_id = $1 and status = 'paused'";
    expect((await platform.webhooks.query(paused, [tenant.id])).rowCount).toBeGreaterThan(0);

    await tenant.expireLocks();
    await platform.startAgain("webhooks");
    await until("the end of the reconciliation", async () => {
      return (await platform.webhooks.query("select from reconciliations")).rowCount === 0;
    });
    await tenant.untilSettled(end);
    const deliveries = await tenant.deliveries();
    expect(deliveries).toHaveLength(tenant.eventCount() + MORE);
    const counts = tenant.requestCounts();
    const expected = end === "delivered" ? deliveries.map(({ id }) => `${id} 1`).sort() : [];
    expect([...counts.keys()].sort()).toEqual(expected);
    // A request that was in flight when the process died is sent twice.
    expect(Math.max(0, ...counts.values())).toBeLessThanOrEqual(2);
    await until("an empty queue", async () => {
      return (await platform.channel.checkQueue("webhooks.deliveries")).messageCount === 0;
    });
  },
);

const OLD_EVENTS = 60_000;
const OLD_ID = "('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid";
const OLD_DATA = `'{"redirect":{"id":"old"}}'`;
const INSERT_OLD = `
  insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent, actor,
                                data, published_at, size_bytes)
  select -n, ${OLD_ID}, gen_random_uuid(), 'redirect.added', $1, now(), 'request-1', '${TRACEPARENT}', '${ACTOR}',
         ${OLD_DATA}, now() - interval '1 minute', 25
    from generate_series(1, $2::integer) n`;
const INSERT_KNOWN = `
  insert into events (tenant_id, id, type, occurred_at, request_id, data, matched)
  select $1, ${OLD_ID}, 'redirect.added', now(), 'request-1', ${OLD_DATA}, 0 from generate_series(1, $2::integer) n`;

// The last test, because the replay goes on.
test("of a replay delays no new event, and its old events do not accumulate in the queue", async () => {
  const oldTenant = randomUUID();
  await platform.content.query(INSERT_OLD, [oldTenant, OLD_EVENTS]);
  await platform.webhooks.query(INSERT_KNOWN, [oldTenant, OLD_EVENTS]);
  const tenant = await newCrashTenant(platform, "first event");
  await tenant.requestReplay();
  const isReplaying = async () => {
    const running = "select from replay where before_published_at < 'infinity'";
    return (await platform.content.query(running)).rowCount === 1;
  };
  await until("the replay", isReplaying);
  for (let round = 1; round <= 5; round += 1) {
    await tenant.createRedirect();
    await until("its webhook", () => tenant.requestCounts().size === round);
    // The replay takes minutes, so the webhook did not wait for its end.
    expect(await isReplaying()).toBe(true);
  }
  await until("the old events to leave the queue", async () => {
    return (await platform.channel.checkQueue("webhooks.events")).messageCount < 100;
  });
  expect(await isReplaying()).toBe(true);
});
