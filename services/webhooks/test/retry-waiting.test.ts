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

const DELAYED = 3;

/** Starts the service with deliveries that wait for a retry in an hour, at an endpoint that works. */
async function startWithDelayed() {
  const started = await startWithReceiver({ WEBHOOKS_RETRY_SCHEDULE: "1h" });
  const { webhooks, receiver, stop } = started;
  const tenant = webhooks.tenant();
  const { id } = await tenant.subscribe(`${receiver.url}/works`);
  const { oldest } = await insertBacklog(webhooks.pool, tenant, id, DELAYED, "delayed");
  return { webhooks, receiver, tenant, id, oldest, [Symbol.asyncDispose]: stop };
}

test("a request that fails halfway is completed when it is repeated with its key", async () => {
  await using started = await startWithDelayed();
  const { webhooks, receiver, tenant, id } = started;
  const retry = () =>
    tenant
      .owner()
      .post(`/v1/webhooks/subscriptions/${id}/retry-waiting`, undefined, { "idempotency-key": "k" });
  await webhooks.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before update on deliveries execute function refuse()`);
  expect((await retry()).status).toBe(500);
  await webhooks.pool.query("drop function refuse cascade");
  const repeated = await retry();
  expect(repeated).toMatchObject({ status: 202, body: { data: { waiting: DELAYED } } });
  expect(repeated.headers.get("idempotent-replayed")).toBeNull();
  await until("all to be delivered", () => receiver.received.length === DELAYED);
  const again = await retry();
  expect([again.headers.get("idempotent-replayed"), again.body]).toEqual(["true", repeated.body]);
}, 60_000);

test("a delivery that another transaction has locked becomes due too", async () => {
  await using started = await startWithDelayed();
  const { webhooks, receiver, tenant, id, oldest } = started;
  // As when a delivery returns from its retry queue.
  const text = "update deliveries set queue_state = 'waiting' where id = $1";
  await using returning = await webhooks.begin(text, [oldest]);
  const retried = tenant.owner().post(`/v1/webhooks/subscriptions/${id}/retry-waiting`, {});
  await until("the request to wait or to end", async () => {
    const { rows } = await webhooks.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       union all select from deliveries where next_attempt_at <= now()
       union all select from delivery_log`,
    );
    return rows.length > 0;
  });
  await returning.commit();
  expect((await retried).status).toBe(202);
  await until("all to be delivered", () => receiver.received.length === DELAYED);
}, 60_000);
