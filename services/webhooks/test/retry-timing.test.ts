// Retries start soon after their wait, never before it. Deliveries that failed together are not retried all at once.
import { describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { startWithReceiver } from "./support/use-webhooks.ts";

const WAITS_MS = [400, 800, 1_600];
// The time that the broker, the windows, the jitter and a busy machine may add. A lost message is published again by the
// sweep only half a minute after it is due.
const LATE_MS_MAX = 10_000;

/** A service and a receiver for one test. */
async function start(retrySchedule: string) {
  const { webhooks, receiver, stop } = await startWithReceiver({ WEBHOOKS_RETRY_SCHEDULE: retrySchedule });
  return { webhooks, receiver, [Symbol.asyncDispose]: stop };
}

test("each retry starts after its wait, long before the sweep would publish it again", async () => {
  await using started = await start(WAITS_MS.map((ms) => `${ms}ms`).join(","));
  const { webhooks, receiver } = started;
  receiver.behave(() => 500);

  const tenant = webhooks.tenant();
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
  const retries = rows.filter(({ attempt }) => attempt > 1);
  expect(retries).toHaveLength(5 * WAITS_MS.length);
  expect(retries.filter(({ lateMs }) => lateMs < 0 || lateMs > LATE_MS_MAX)).toEqual([]);
});

describe("a thousand deliveries that failed together", () => {
  const TENANTS = 4;
  const SUBSCRIPTIONS_PER_TENANT = 25;
  // As many as fit in a new window, so that none waits for another.
  const EVENTS = 10;
  const HERD = TENANTS * SUBSCRIPTIONS_PER_TENANT * EVENTS;
  const WAIT_MS = 5_000;
  // A tenth of the wait.
  const JITTER_MS = 500;

  test("are retried evenly over the jitter", async () => {
    await using started = await start(`${WAIT_MS}ms`);
    const { webhooks, receiver } = started;
    receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
    const tenants = Array.from({ length: TENANTS }, () => webhooks.tenant());
    for (const tenant of tenants) {
      for (let number = 0; number < SUBSCRIPTIONS_PER_TENANT; number += 1) {
        await tenant.subscribe(`${receiver.url}/herd`);
      }
    }
    for (const { tenantId } of tenants) {
      for (let number = 0; number < EVENTS; number += 1) await webhooks.emit(tenantId, { number });
    }
    // Reads each delivery while it waits: on a busy machine the first is retried before the last has failed.
    const shareOf = new Map<string, number>();
    await until("all to have waited", async () => {
      // `share` is the part of the jitter that the wait contains, measured from the record of the failure.
      const { rows } = await webhooks.pool.query<{ id: string; share: number }>(
        `select id, (extract(epoch from next_attempt_at - enqueued_at)::float * 1000 - $1) / $2 as share
           from deliveries where status = 'retrying' and queue_state = 'delayed'`,
        [WAIT_MS, JITTER_MS],
      );
      for (const { id, share } of rows) shareOf.set(id, share);
      return shareOf.size === HERD;
    });
    const due = [...shareOf.values()];
    const tenths = Array.from({ length: 10 }, (_, tenth) =>
      due.filter((share) => Math.min(9, Math.floor(share * 10)) === tenth),
    );
    expect(Math.min(...tenths.map(({ length }) => length))).toBeGreaterThan(HERD * 0.05);

    const arrivals = await until("all retries", async () => {
      const { rows } = await webhooks.pool.query<{ at: Date }>("select at from attempts where attempt = 2");
      return rows.length === HERD && rows.map(({ at }) => at.getTime());
    });
    expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeGreaterThan(100);
  });
});
