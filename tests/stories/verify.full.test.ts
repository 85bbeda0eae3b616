// `npm run ops -- verify` finds nothing on a sound platform with traffic, and reports each fault that a test causes.
import { until } from "@tradepost/testing";
import { dataOf } from "../support/data-of.ts";
import { opsJsonOn, opsOn } from "../support/run-ops.ts";
import { startTestPlatform, type TestTenant } from "../support/test-platform.ts";

/** The number of events of the first tenant that one endpoint received. For another endpoint the same events are paused. */
const DELIVERED = 4;
/** The number of events of the second tenant whose delivery failed. */
const FAILED = 2;

const platform = await startTestPlatform({ WEBHOOKS_RETRY_SCHEDULE: "100ms" });
const receiver = await platform.startReceiver();
receiver.behave(({ path }) => (path === "/failing" ? 500 : 200));
const { webhooks, content } = platform.pools;
const [one, two] = await Promise.all([platform.createTenant(), platform.createTenant()]);
await makeTraffic();

/** Makes events that are delivered, failed, paused, and without a subscription. No delivery is pending. */
async function makeTraffic(): Promise<void> {
  const subscribe = async (by: TestTenant, path: string, events?: string[]): Promise<string> =>
    (await by.subscribe(receiver.url + path, events)).id;
  const addRedirect = async ({ key }: TestTenant, number: number): Promise<string> =>
    dataOf(await key.post("/v1/redirects", { from: `/old-${number}`, to: "/new" }), 201).id;
  await Promise.all([subscribe(one, "/hook"), subscribe(two, "/failing")]);
  const paused = await subscribe(one, "/paused");
  await one.owner.patch(`/v1/webhooks/subscriptions/${paused}`, { active: false });
  const deleted = await subscribe(one, "/deleted", ["redirect.removed"]);
  const added: string[] = [];
  for (let number = 1; number <= DELIVERED; number += 1) added.push(await addRedirect(one, number));
  for (let number = 1; number <= FAILED; number += 1) await addRedirect(two, number);
  await one.owner.delete(`/v1/webhooks/subscriptions/${deleted}`);
  // No subscription matches this event, but the webhooks service stores it.
  await one.key.delete(`/v1/redirects/${added[0]}`);
  // A test event, which no producer published.
  await one.owner.post(`/v1/webhooks/subscriptions/${paused}/test`);
  for (const [what, text, count] of [
    ["the deliveries", "select from delivery_log where status = 'delivered'", DELIVERED],
    ["the failures", "select from delivery_log where status = 'failed'", FAILED],
    ["the last event", "select from events where type = 'redirect.removed'", 1],
    ["the dead letters", "select from dead_letters where published_at is not null", FAILED],
  ] as const)
    await until(what, async () => (await webhooks.query(text)).rowCount === count);
}

describe("npm run ops -- verify", () => {
  beforeEach(async () => {
    // Moves the rows into the past, as if the grace period were over.
    await content.query(
      "update published_events set published_at = published_at - interval '1 minute', occurred_at = occurred_at - interval '1 minute'",
    );
    await until("the broker's figures", async () => {
      const queue = (await platform.broker.manage("GET", "/queues/webhooks.events")) as {
        messages?: number;
      };
      return queue.messages === 0;
    });
  });

  afterAll(() => platform.stop());

  const run = (...args: string[]) => opsOn(platform)("verify", ...args);
  const runJson = (...args: string[]) => opsJsonOn(platform)("verify", ...args);
  const verified = async () => JSON.parse((await run("--json")).stdout);
  /** Runs `work`, which changes the table, and then restores the table. */
  const saving = async (pool: typeof webhooks, table: string, work: () => Promise<void>) => {
    await pool.query(`create table saved as select * from ${table}`);
    try {
      await work();
    } finally {
      await pool.query(`truncate ${table}; insert into ${table} select * from saved; drop table saved`);
    }
  };
  const fault = (kind: string, { tenantId }: TestTenant, ...found: (string | undefined)[]) => ({
    ...{ kind, tenantId, count: found.length, ids: found },
  });
  const ids = async (query: string, values: unknown[] = []): Promise<string[]> =>
    (await webhooks.query(query, values)).rows.map(({ id }) => id);

  test("accounts for all events, by tenant", async () => {
    const result = await runJson();
    expect(result).toEqual({
      ...{ ok: true, since: expect.stringMatching(/Z$/), queued: 0 },
      ...{ tenants: expect.any(Array), restores: [], faults: [] },
    });
    const nothing = { outbox: 0, unconsumed: 0, cancelled: 0, inFlight: 0, unaccounted: 0 };
    expect(result.tenants).toEqual(
      [
        {
          ...{ ...nothing, tenantId: one.tenantId, committed: DELIVERED + 1, matched: 2 * DELIVERED + 1 },
          ...{ delivered: DELIVERED, failed: 0, paused: DELIVERED + 1 },
        },
        {
          ...{ ...nothing, tenantId: two.tenantId, committed: FAILED, matched: FAILED },
          ...{ delivered: 0, failed: FAILED, paused: 0 },
        },
      ].sort((a, b) => (a.tenantId < b.tenantId ? -1 : 1)),
    );
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^tenantId +committed +outbox/m);
    expect(stdout).toMatch(/Everything is accounted for\.\n$/);
  });

  test("leaves out events before `since`, which is limited by the retention of events", async () => {
    const later = new Date(Date.now() + 60_000).toISOString();
    expect((await runJson("--since", later)).tenants).toEqual([]);
    const { since } = await runJson("--since", "2020-01-01T00:00:00Z");
    expect(Date.now() - Date.parse(since)).toBeLessThan(7.01 * 24 * 60 * 60 * 1_000);
    expect(await run("--since", "yesterday")).toMatchObject({ code: 1, stdout: "" });
  });

  test("names an event with a missing delivery, also in words", async () => {
    await saving(webhooks, "delivery_log", async () => {
      const [eventId] = await ids(
        "delete from delivery_log where id = (select id from delivery_log where tenant_id = $1 limit 1) returning event_id as id",
        [one.tenantId],
      );
      expect((await verified()).faults).toEqual([fault("deliveries_differ", one, eventId)]);
      const { code, stdout } = await run();
      expect(code).toBe(1);
      expect(stdout).toContain(`(deliveries_differ):\n  ${eventId}\n`);
      expect(stdout).toMatch(/Not everything is accounted for\.\n$/);
    });
  });

  test("names published events that are missing, also of a type without a subscription, and their deliveries", async () => {
    await saving(webhooks, "events", async () => {
      const [eventId] = await ids(
        "delete from events where id = (select event_id from delivery_log where tenant_id = $1 limit 1) returning id",
        [one.tenantId],
      );
      const deliveries = await ids("select id from all_deliveries where event_id = $1 order by id", [
        eventId,
      ]);
      const { faults, tenants } = await verified();
      expect(faults).toEqual([
        fault("event_lost", one, eventId),
        fault("delivery_without_event", one, ...deliveries),
      ]);
      expect(deliveries).toHaveLength(2);
      expect(tenants).toContainEqual(
        expect.objectContaining({ tenantId: one.tenantId, unconsumed: 1, unaccounted: 1 }),
      );
      const [removed] = await ids("delete from events where type = 'redirect.removed' returning id");
      const [{ ids: lost } = { ids: [] }] = (await verified()).faults;
      expect(lost.toSorted()).toEqual([eventId, removed].toSorted());
    });
  });

  test("names a dead letter of a delivery that has not failed", async () => {
    await saving(webhooks, "delivery_log", async () => {
      const [id] = await ids("select delivery_id as id from dead_letters limit 1");
      await webhooks.query("update delivery_log set status = 'delivered' where id = $1", [id]);
      expect((await verified()).faults).toEqual([fault("dead_letter_without_failure", two, id)]);
    });
  });

  test("names an event that the broker refused", async () => {
    const { rows } = await content.query(
      `insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, parked_at)
       values (gen_random_uuid(), gen_random_uuid(), 'redirect.added', $1, 'r', 't', '{}', '{}', now()) returning event_id`,
      [two.tenantId],
    );
    expect((await verified()).faults).toEqual([fault("event_parked", two, rows[0].event_id)]);
    await content.query("delete from outbox");
  });

  test("names overdue deliveries and dead letters, and no delivery that is not due", async () => {
    await platform.stopWebhooks();
    const [queued, delayed, waiting, locked] = await ids("select id from deliveries order by id");
    const set = async (id: string | undefined, queueState: string, ago: string, lockedUntil: string | null) =>
      webhooks.query(
        `update deliveries set status = 'pending', queue_state = $2, next_attempt_at = now() - $3::interval,
                               enqueued_at = now() - $3::interval, locked_until = now() + $4::interval where id = $1`,
        [id, queueState, ago, lockedUntil],
      );
    await set(queued, "queued", "2 hours", "-1 hour");
    await set(delayed, "delayed", "1 second", null);
    await set(waiting, "waiting", "2 hours", null);
    await set(locked, "queued", "2 hours", "10 seconds");
    const overdue = (...found: (string | undefined)[]) => fault("delivery_overdue", one, ...found.sort());
    // The waiting delivery is not overdue: one before it is in progress.
    expect((await verified()).faults).toEqual([overdue(queued)]);
    await set(delayed, "delayed", "2 hours", null);
    expect((await verified()).faults).toEqual([overdue(queued, delayed)]);
    for (const id of [queued, delayed, locked]) await set(id, "waiting", "-1 hour", null);
    expect((await verified()).faults).toEqual([overdue(waiting)]);
    await webhooks.query("update subscriptions set last_failure_at = now()");
    expect((await verified()).faults).toEqual([]);

    const [dead] = await ids(
      "update dead_letters set published_at = null, failed_at = failed_at - interval '1 hour' where delivery_id = (select min(delivery_id::text)::uuid from dead_letters) returning delivery_id as id",
    );
    expect((await verified()).faults).toEqual([fault("dead_letter_unpublished", two, dead)]);
  });
});
