// When retries come: after their wait and not before, soon after it, and not all at once though they failed together.
// The times are the attempts' own, as the log has them.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { type Receiver, startReceiver, testCertificate, until } from "@tradepost/testing";
import { startTestWebhooks, type TestWebhooks } from "./support/webhooks.ts";

const WAITS_MS = [400, 800, 1_600];
// What the way through the broker, the windows and the jitter may add.
const LATE_MS_MAX = 2_000;
const JITTER_SHARE = 0.1;
// A machine that stood still for so long measures nothing.
const STALL_MS_MAX = 500;
const STALL_LOOK_MS = 20;

let webhooks: TestWebhooks;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver(await testCertificate());
});

afterEach(() => webhooks.stop());
afterAll(() => receiver.stop());

/** Out: a function that tells by how much a timer of our own was late at most. */
function watchStalls(): () => number {
  let worstMs = 0;
  let expectedAt = performance.now() + STALL_LOOK_MS;
  const timer = setInterval(() => {
    worstMs = Math.max(worstMs, performance.now() - expectedAt);
    expectedAt = performance.now() + STALL_LOOK_MS;
  }, STALL_LOOK_MS);
  return () => {
    clearInterval(timer);
    return worstMs;
  };
}

test("each attempt comes after its wait, and at most two seconds and a tenth of the wait later", async () => {
  webhooks = await startTestWebhooks({ WEBHOOKS_RETRY_SCHEDULE: WAITS_MS.map((ms) => `${ms}ms`).join(",") });
  receiver.behave(() => 500);

  const measure = async () => {
    const tenant = webhooks.tenant();
    const stalledMs = watchStalls();
    const { id } = await tenant.subscribe(`${receiver.url}/fails`);
    for (let number = 0; number < 5; number += 1) await webhooks.emit(tenant.tenantId, { number });
    await until("all to fail", async () => {
      const deliveries = (await tenant.deliveries(id)) as { status: string }[];
      return deliveries.length === 5 && deliveries.every(({ status }) => status === "failed");
    });
    const { rows } = await webhooks.pool.query<{ attempt: number; lateMs: number }>(
      `select attempt, (extract(epoch from at - (lag(at) over delivery)) * 1000)::float
                       - lag(duration_ms) over delivery - ($2::int[])[attempt - 1] as "lateMs"
         from attempts where tenant_id = $1
       window delivery as (partition by delivery_id order by attempt)`,
      [tenant.tenantId, WAITS_MS],
    );
    return { isStalled: stalledMs() > STALL_MS_MAX, retries: rows.filter(({ attempt }) => attempt > 1) };
  };

  let measured = await measure();
  if (measured.isStalled) measured = await measure();
  expect(measured.retries).toHaveLength(5 * WAITS_MS.length);
  const untimely = measured.retries.filter(({ attempt, lateMs }) => {
    return lateMs < 0 || lateMs > LATE_MS_MAX + (WAITS_MS[attempt - 2] ?? 0) * JITTER_SHARE;
  });
  expect(untimely).toEqual([]);
});

describe("two thousand that failed together", () => {
  const TENANTS = 4;
  const SUBSCRIPTIONS_PER_TENANT = 50;
  // As many as a window holds at first, so that none waits for another.
  const EVENTS = 10;
  const HERD = TENANTS * SUBSCRIPTIONS_PER_TENANT * EVENTS;
  // Longer than it takes to fail them all.
  const WAIT_MS = 20_000;
  const JITTER_MS = 1_000;

  test("do not come back together, but evenly over a second", async () => {
    webhooks = await startTestWebhooks({ WEBHOOKS_RETRY_SCHEDULE: `${WAIT_MS}ms` });
    receiver.received.length = 0;
    receiver.behave(() => 500);
    const tenants = Array.from({ length: TENANTS }, () => webhooks.tenant());
    for (const tenant of tenants) {
      for (let number = 0; number < SUBSCRIPTIONS_PER_TENANT; number += 1) {
        await tenant.subscribe(`${receiver.url}/herd`);
      }
    }
    for (const { tenantId } of tenants) {
      for (let number = 0; number < EVENTS; number += 1) await webhooks.emit(tenantId, { number });
    }
    const due = await until("all to wait", async () => {
      // How far into its jitter each comes, from the moment at which its failure was recorded.
      const { rows } = await webhooks.pool.query<{ share: number }>(
        `select (extract(epoch from next_attempt_at - enqueued_at)::float * 1000 - $1) / $2 as share
           from deliveries where status = 'retrying' and place = 'delayed'`,
        [WAIT_MS, JITTER_MS],
      );
      return rows.length === HERD && rows.map(({ share }) => share);
    });
    const tenths = Array.from({ length: 10 }, (_, tenth) =>
      due.filter((share) => Math.min(9, Math.floor(share * 10)) === tenth),
    );
    expect(Math.min(...tenths.map(({ length }) => length))).toBeGreaterThan(HERD * 0.05);

    receiver.behave(() => 200);
    const arrivals = await until(
      "all to come back",
      async () => {
        const { rows } = await webhooks.pool.query<{ at: Date }>("select at from attempts where attempt = 2");
        return rows.length === HERD && rows.map(({ at }) => at.getTime());
      },
      60_000,
    );
    expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeGreaterThan(100);
  }, 120_000);
});
