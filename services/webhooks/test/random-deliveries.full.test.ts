// Whatever happens to a delivery, it ends in one of the permitted states. The test runs random operations; a failure names
// their seed.
import { randomInt } from "node:crypto";
import { type RandomRun, runRandomly } from "./support/run-randomly.ts";
import { startWithReceiver } from "./support/use-webhooks.ts";
import { digestOf } from "./support/webhooks.ts";

const ATTEMPTS_MAX = 8;
const SEEDS = [randomInt(2 ** 31), randomInt(2 ** 31)];

// With the logged attempts of the last generation.
const ENDED = `
  select id, event_id || ' ' || subscription_id as pair, subscription_id as "subscriptionId", status,
         attempt_count as "attemptCount", generation,
         (select count(*)::int from attempts where outcome = 'timeout' and attempts.tenant_id = all_deliveries.tenant_id
             and delivery_id = all_deliveries.id) as timeouts,
         array(select distinct attempt from attempts
                where attempts.tenant_id = all_deliveries.tenant_id and delivery_id = all_deliveries.id
                  and attempts.generation = all_deliveries.generation order by attempt)::int[] as attempts,
         (select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') from events
           where events.tenant_id = all_deliveries.tenant_id and events.id = event_id) as day
    from all_deliveries where tenant_id = any($1)`;

/** Each seed has its own service. Both run at the same time, because the deliveries wait more than they compute. */
async function runWith(seed: number) {
  const { webhooks, receiver, stop } = await startWithReceiver({
    WEBHOOKS_RETRY_SCHEDULE: "20ms,30ms,40ms,50ms,60ms,70ms,80ms",
    WEBHOOKS_TIMEOUT_MS: "500",
    WEBHOOKS_SWEEP_GRACE_MS: "500",
  });
  await webhooks.startReplica();
  const run = await runRandomly(webhooks, receiver, seed);
  const tenantIds = [...new Set(run.subscriptions.map(({ tenant }) => tenant.tenantId))];
  const ended = await webhooks.query(ENDED, tenantIds);
  return { seed, webhooks, run, ended, stop };
}

const runs = await Promise.all(SEEDS.map(runWith));
afterAll(async () => {
  for (const { stop } of runs) await stop();
});

describe.each(runs)("the deliveries of a run with seed $seed", ({ webhooks, run, ended }) => {
  const idsWhere = (which: (subscription: RandomRun["subscriptions"][number]) => boolean) =>
    new Set(run.subscriptions.filter(which).map(({ id }) => id));

  test("are one for each matching pair of event and subscription", () => {
    const pairs = ended.map(({ pair }) => pair);
    expect(new Set(pairs).size).toBe(pairs.length);
    expect(new Set(ended.map(({ id }) => id)).size).toBe(ended.length);
    const deleted = idsWhere(({ isDeleted }) => isDeleted);
    const ofExisting = ended.filter(({ subscriptionId }) => !deleted.has(subscriptionId));
    const expected = run.events.flatMap((event) =>
      run.subscriptions
        .filter(({ tenant, types, isDeleted }) => {
          return !isDeleted && tenant.tenantId === event.tenantId && types.includes(event.type);
        })
        .map(({ id }) => `${event.id} ${id}`),
    );
    expect(ofExisting.map(({ pair }) => pair).sort()).toEqual(expected.sort());
  });

  test("are delivered, failed after eight attempts, cancelled with their subscription, or paused with it", () => {
    const deleted = idsWhere(({ isDeleted }) => isDeleted);
    const paused = idsWhere(({ isDeleted, isPaused }) => isPaused && !isDeleted);
    const wrong = ended.filter(({ subscriptionId, status, attemptCount }) => {
      if (status === "delivered") return attemptCount < 1 || attemptCount > ATTEMPTS_MAX;
      if (status === "failed") return attemptCount !== ATTEMPTS_MAX;
      if (status === "cancelled") return !deleted.has(subscriptionId);
      return status !== "paused" || !paused.has(subscriptionId);
    });
    expect(wrong).toEqual([]);
  });

  test("have every counted attempt in the log", () => {
    const wrong = ended.filter(({ attempts, attemptCount }) => {
      const counted = Array.from({ length: attemptCount }, (_, index) => index + 1);
      return String(attempts.slice(0, attemptCount)) !== String(counted);
    });
    expect(wrong).toEqual([]);
    const failed = ended.filter(({ status }) => status === "failed");
    expect(failed.filter(({ attempts }) => attempts.length !== ATTEMPTS_MAX)).toEqual([]);
  });

  test("have no queue state once they have ended, and are dead letters exactly if they failed", async () => {
    const queued = await webhooks.query("select id from deliveries where queue_state is not null");
    expect(queued).toEqual([]);
    const text = "select delivery_id || ' ' || generation as letter from dead_letters order by 1";
    const dead = await webhooks.query(text);
    const failed = ended.filter(({ status }) => status === "failed");
    expect(dead.map(({ letter }) => letter)).toEqual(
      failed.map(({ id, generation }) => `${id} ${generation}`).sort(),
    );
    await webhooks.untilReady("webhooks.deliveries", 0);
  });

  test("are acknowledged once, or once more for each lock that expired during an attempt", () => {
    const tooOften = ended.filter(({ id, generation, timeouts }) => {
      // On a busy machine a 200 may arrive after the timeout, when the attempt has failed.
      const late = Math.max(0, timeouts - (run.hung.get(id) ?? 0));
      const acknowledgedMax = 1 + (run.expiredLocks.get(id) ?? 0) + late;
      return generation === 1 && (run.acknowledged.get(id) ?? 0) > acknowledgedMax;
    });
    expect(tooOften).toEqual([]);
    const delivered = ended.filter(({ status }) => status === "delivered");
    expect(delivered.filter(({ id }) => !run.acknowledged.has(id))).toEqual([]);
  });

  test("are counted by the ledger, whose digest is that of the delivered ones", async () => {
    for (const { tenant, id } of run.subscriptions.filter(({ isDeleted }) => !isDeleted)) {
      for (const day of new Set(ended.map((one) => one.day))) {
        const query = `subscriptionId=${id}&day=${day}`;
        const { types, digest } = await tenant.get(`ledger?${query}`);
        const own = ended.filter((one) => one.subscriptionId === id && one.day === day);
        const countOf = (name: string) =>
          types.reduce((sum: number, counts: Record<string, number>) => sum + (counts[name] ?? 0), 0);
        const expected = ["delivered", "failed", "cancelled", "paused"].map(
          (status) => own.filter((one) => one.status === status).length,
        );
        expect(["delivered", "failed", "cancelled", "waiting"].map(countOf)).toEqual(expected);
        expect(countOf("matched")).toBe(own.length);
        const delivered = own.filter(({ status }) => status === "delivered");
        expect(digest).toBe(digestOf(delivered.map((one) => one.id)));
      }
    }
  });

  test("never cause a deadlock", async () => {
    expect(await webhooks.deadlocks()).toBe(0);
  });
});
