// Retries start soon after their wait, never before it.
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { startWithReceiver } from "./support/use-webhooks.ts";

const WAITS_MS = [400, 800, 1_600];
// The time that the broker, the windows, the jitter and a busy machine may add. A lost message is published again by the
// sweep only half a minute after it is due.
const LATE_MS_MAX = 10_000;

test("each retry starts after its wait, long before the sweep would publish it again", async () => {
  const started = await startWithReceiver({
    WEBHOOKS_RETRY_SCHEDULE: WAITS_MS.map((ms) => `${ms}ms`).join(","),
  });
  await using _ = { [Symbol.asyncDispose]: started.stop };
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
