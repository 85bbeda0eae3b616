// Deliveries that wait for a retry become due at once, however many there are (interface §17).
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { insertBacklog } from "./support/backlog.ts";
import { startWithReceiver } from "./support/use-webhooks.ts";

test("what becomes due at once is due in the order of its age", async () => {
  const started = await startWithReceiver({ WEBHOOKS_TIMEOUT_MS: "60000" });
  await using _ = { [Symbol.asyncDispose]: started.stop };
  const { webhooks, receiver } = started;
  const hanging: (() => void)[] = [];
  receiver.behave(() => (res) => void hanging.push(() => res.end()));
  const tenant = webhooks.tenant();
  const { id } = await tenant.subscribe(`${receiver.url}/hangs`);
  const COUNT = 12_000;
  await insertBacklog(webhooks.pool, tenant, id, COUNT, "delayed");
  const retried = await tenant.owner().post(`/v1/webhooks/subscriptions/${id}/retry-waiting`, {});
  expect(retried).toMatchObject({ status: 202, body: { data: { waiting: COUNT } } });
  const { rows } = await webhooks.pool.query(
    `select count(*)::integer as due,
            count(*) filter (where next_attempt_at < before)::integer as early
       from (select next_attempt_at, lag(next_attempt_at) over (order by created_at, id) as before
               from deliveries where subscription_id = $1 and next_attempt_at <= now()) delivery`,
    [id],
  );
  expect(rows).toEqual([{ due: COUNT, early: 0 }]);
  await until("the first attempts", () => receiver.received.length >= 2);
  receiver.behave(() => 200);
  for (const respond of hanging) respond();
}, 60_000);
