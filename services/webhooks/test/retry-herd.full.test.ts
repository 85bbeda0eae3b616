// Deliveries that failed together are not retried all at once.
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { startWithReceiver } from "./support/use-webhooks.ts";

const TENANTS = 4;
const SUBSCRIPTIONS_PER_TENANT = 25;
// As many as fit in a new window, so that none waits for another.
const EVENTS = 10;
const HERD = TENANTS * SUBSCRIPTIONS_PER_TENANT * EVENTS;
const WAIT_MS = 5_000;
// A tenth of the wait.
const JITTER_MS = 500;

test("a thousand deliveries that failed together are retried evenly over the jitter", async () => {
  const started = await startWithReceiver({ WEBHOOKS_RETRY_SCHEDULE: `${WAIT_MS}ms` });
  await using _ = { [Symbol.asyncDispose]: started.stop };
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
