// Whatever happens, the ledger adds up at every look, and in the end it agrees with the receiver's own table. The test runs random
// operations; a failure names their seed.
import { createHash, randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Receiver } from "@tradepost/testing";
import { readDeliveryTotals } from "../src/operate.ts";
import {
  type CountedRun,
  type CountedSubscription,
  countRandomly,
  DAYS,
  passes,
  readLedger,
  type TypeCounts,
  untilNothingWaits,
} from "./support/count-randomly.ts";
import { startWithReceiver } from "./support/use-webhooks.ts";
import type { TestWebhooks } from "./support/webhooks.ts";

const SEEDS = [randomInt(2 ** 31), randomInt(2 ** 31)];
const LONG_AGO = "2020-01-01T00:00:00Z";

/** The deliveries of a subscription once nothing waits, before failed deliveries are sent again. */
interface Ended {
  readonly subscription: CountedSubscription;
  readonly delivered: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/** Each seed has its own service. Both run at the same time, because the deliveries wait more than they compute. */
async function runWith(seed: number) {
  const { webhooks, receiver, stop } = await startWithReceiver({
    WEBHOOKS_RETRY_SCHEDULE: "20ms,30ms,40ms",
    WEBHOOKS_TIMEOUT_MS: "500",
    WEBHOOKS_SWEEP_GRACE_MS: "500",
  });
  const run = await countRandomly(webhooks, receiver, seed);
  const existing = run.subscriptions.filter(({ isDeleted }) => !isDeleted);
  const ended: Ended[] = [];
  for (const subscription of existing) ended.push(await endedOf(webhooks, subscription));
  for (const subscription of existing) await replay(subscription, "failed");
  await untilNothingWaits(
    webhooks,
    existing.map(({ tenant }) => tenant),
  );
  return { webhooks, receiver, run, existing, ended, stop };
}

async function endedOf({ pool }: TestWebhooks, subscription: CountedSubscription): Promise<Ended> {
  const { rows } = await pool.query<{ id: string; status: string }>(
    "select id, status from delivery_log where subscription_id = $1",
    [subscription.id],
  );
  const having = (status: string) => new Set(rows.filter((row) => row.status === status).map(({ id }) => id));
  return { subscription, delivered: having("delivered"), failed: having("failed") };
}

async function replay({ tenant, id }: CountedSubscription, include: "failed" | "missing"): Promise<void> {
  const { status } = await tenant.act(id, "replays", { since: LONG_AGO, include });
  expect(status).toBe(202);
}

/** As a receiver computes it from its own table. */
function digestOf(table: ReadonlyMap<string, string>, period: string): string {
  const ids = [...table].filter(([, time]) => time.startsWith(period)).map(([id]) => id);
  const hash = (id: string) => BigInt(`0x${createHash("sha256").update(id).digest("hex")}`);
  const sum = ids.reduce((total, id) => total + hash(id), 0n);
  return (sum % 2n ** 256n).toString(16).padStart(64, "0");
}

let runs: Map<number, Awaited<ReturnType<typeof runWith>>>;
beforeAll(async () => {
  runs = new Map(await Promise.all(SEEDS.map(async (seed) => [seed, await runWith(seed)] as const)));
}, 600_000);
afterAll(async () => {
  for (const { stop } of runs.values()) await stop();
});

describe.each(SEEDS)("the ledger with seed %i", (seed) => {
  let webhooks: TestWebhooks;
  let receiver: Receiver;
  let run: CountedRun;
  let existing: CountedSubscription[];
  let ended: Ended[];

  beforeAll(() => {
    const found = runs.get(seed);
    if (found === undefined) throw new Error("this seed did not run");
    ({ webhooks, receiver, run, existing, ended } = found);
  });

  const eventsOf = ({ tenant, tests }: CountedSubscription, day: string, type: string) =>
    run.events.filter(
      (event) => event.tenantId === tenant.tenantId && event.day === day && event.type === type,
    ).length + (day === DAYS[0] ? tests.filter((test) => test === type).length : 0);

  test("adds up for every type at every look on the way", () => {
    expect(run.looks.length).toBeGreaterThan(0);
    for (const { types, subscription, day } of run.looks) {
      expect(types.map(({ type }) => type)).toEqual([...new Set(types.map(({ type }) => type))].sort());
      for (const counts of types) {
        const { type, events, matched, filtered, delivered, failed, waiting, cancelled } = counts;
        expect([counts, matched]).toEqual([counts, delivered + failed + waiting + cancelled]);
        expect([counts, events >= matched + filtered]).toEqual([counts, true]);
        expect([counts, events <= eventsOf(subscription, day, type)]).toEqual([counts, true]);
      }
    }
  });

  test("agrees with the receiver's own table at every look at a closed day, and today is never closed", () => {
    const closed = run.looks.filter((look) => look.closed);
    for (const { day, digest, table, types } of closed) {
      expect(day).not.toBe(DAYS[0]);
      expect(types.every(({ waiting }) => waiting === 0)).toBe(true);
      // The receiver may have accepted what failed, and the table has no status.
      const hasFailed = types.some(({ failed, cancelled }) => failed + cancelled > 0);
      if (table !== null && !hasFailed) expect([day, digest]).toEqual([day, digestOf(table, day)]);
    }
  });

  /** Each ledger, now that nothing waits. */
  const ledgers = async () =>
    await Promise.all(
      existing.flatMap((subscription) =>
        DAYS.map(async (day) => ({ subscription, day, ledger: await readLedger(subscription, day) })),
      ),
    );

  test("has every event of the tenant, and counts those of unchanged subscriptions exactly", async () => {
    for (const { subscription, day, ledger } of await ledgers()) {
      const found = new Map(ledger?.types.map((counts) => [counts.type as string, counts]));
      for (const type of ["content.entry.created", "media.uploaded", "redirect.added"] as const) {
        const counts: Partial<TypeCounts> = found.get(type) ?? { events: 0, matched: 0, filtered: 0 };
        const events = eventsOf(subscription, day, type);
        expect([day, type, counts.events]).toEqual([day, type, events]);
        if (!subscription.isStatic) continue;
        const emitted = run.events.filter(
          (event) =>
            event.tenantId === subscription.tenant.tenantId && event.day === day && event.type === type,
        );
        const isWanted = subscription.types.includes(type);
        const passed = isWanted ? emitted.filter((event) => passes(subscription.filter, event)).length : 0;
        // A test always matches.
        const matched = passed + events - emitted.length;
        const filtered = isWanted ? emitted.length - passed : 0;
        expect([day, type, counts.matched, counts.filtered]).toEqual([day, type, matched, filtered]);
      }
    }
  });

  test("has as delivered only what the receiver has, and as delivered or failed all of it, once nothing waits", () => {
    for (const { subscription, delivered, failed } of ended) {
      const { table } = subscription;
      expect([...delivered].filter((id) => !table.has(id))).toEqual([]);
      expect([...table.keys()].filter((id) => !delivered.has(id) && !failed.has(id))).toEqual([]);
    }
  });

  test("agrees with the receiver's own table once what failed was sent again", async () => {
    for (const { subscription, day, ledger } of await ledgers()) {
      expect([day, ledger?.digest]).toEqual([day, digestOf(subscription.table, day)]);
      for (const { waiting, failed, cancelled } of ledger?.types ?? [])
        expect({ waiting, failed, cancelled }).toEqual({ waiting: 0, failed: 0, cancelled: 0 });
      expect(ledger?.closed).toBe(day !== DAYS[0]);
    }
  });

  test("agrees with the figures of ops verify", async () => {
    const oldest = new Date(`${DAYS.at(-1)}T00:00:00Z`);
    const totals = await readDeliveryTotals(webhooks.db, oldest, 10);
    expect(totals.flatMap(({ mismatched }) => mismatched)).toEqual([]);
    const counted = await ledgers();
    // A deleted subscription has no ledger, but its deliveries stay in the log.
    const { rows: log } = await webhooks.pool.query<{ tenantId: string; delivered: number; matched: number }>(
      `select tenant_id as "tenantId", count(*)::int as matched,
              (count(*) filter (where status = 'delivered'))::int as delivered
         from delivery_log where subscription_id <> all ($1) group by tenant_id`,
      [existing.map(({ id }) => id)],
    );
    for (const { tenantId, matched, delivered } of totals) {
      const types = counted
        .filter(({ subscription }) => subscription.tenant.tenantId === tenantId)
        .flatMap(({ ledger }) => ledger?.types ?? []);
      const others = log.find((one) => one.tenantId === tenantId) ?? { matched: 0, delivered: 0 };
      const sum = (name: "matched" | "delivered") =>
        types.reduce((total, counts) => total + counts[name], others[name]);
      expect([tenantId, matched, delivered]).toEqual([tenantId, sum("matched"), sum("delivered")]);
    }
  });

  test("agrees hour by hour", async () => {
    for (const { tenant, id, table } of existing.slice(0, 2)) {
      for (const hour of Array.from(
        { length: 24 },
        (_, hour) => `${DAYS[1]}T${String(hour).padStart(2, "0")}`,
      )) {
        const { body } = await tenant
          .owner()
          .get(`/v1/webhooks/ledger/deliveries?subscriptionId=${id}&hour=${hour}&limit=100`);
        expect([hour, body.page.digest]).toEqual([hour, digestOf(table, hour)]);
        const own = [...table].filter(([, time]) => time.startsWith(hour)).map(([one]) => one);
        expect(body.data.map((one: { id: string }) => one.id).sort()).toEqual(own.sort());
      }
    }
  });

  test("has everything that a subscription wants today after a replay of what is missing", async () => {
    receiver.received.length = 0;
    for (const subscription of existing) await replay(subscription, "missing");
    await untilNothingWaits(
      webhooks,
      existing.map(({ tenant }) => tenant),
    );
    for (const { subscription, day, ledger } of await ledgers()) {
      const { tenant, types, filter, table } = subscription;
      expect([day, ledger?.digest]).toEqual([day, digestOf(table, day)]);
      const wanted = run.events.filter(
        (event) =>
          event.tenantId === tenant.tenantId &&
          event.day === day &&
          types.includes(event.type) &&
          passes(filter, event),
      );
      const delivered = (ledger?.types ?? []).reduce((sum, counts) => sum + counts.delivered, 0);
      expect(delivered).toBeGreaterThanOrEqual(wanted.length);
    }
  });

  test("never causes a deadlock", async () => {
    const { rows } = await webhooks.pool.query(
      "select deadlocks::int from pg_stat_database where datname = current_database()",
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });
});
