// A success at a healthy endpoint is noted in its subscription every 10 seconds, with the delivery's verdict.
import { until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const { webhooks, receiver, tenant } = useWebhooks();

const HOUR_MS = 60 * 60 * 1_000;

const set = (id: string, change: string) =>
  webhooks.query(`update subscriptions set ${change} where tenant_id = $1 and id = $2`, tenant.tenantId, id);

/** The latest success of the endpoint was an hour ago, and an attempt is in progress. */
const attemptAfterAnHour = async () => {
  const { id } = await tenant.deliver("/hook");
  await set(id, "last_success_at = last_success_at - interval '1 hour'");
  const respond = receiver.hold();
  receiver.received.length = 0;
  await tenant.emit();
  await receiver.waitFor("the request", ({ path }) => path === "/hook");
  return { id, succeed: () => respond(200) };
};

const isRecent = (at: string) => Date.now() - Date.parse(at) < HOUR_MS / 2;

test("a success is noted if the latest one is older", async () => {
  const { id, succeed } = await attemptAfterAnHour();
  succeed();
  await tenant.untilAll(id, "delivered", 2);
  expect(isRecent((await tenant.health(id)).lastSuccessAt)).toBe(true);
});

test("a success resets failures that another process has recorded during the attempt", async () => {
  const { id, succeed } = await attemptAfterAnHour();
  const failures = "consecutive_failures = 3, failing_since = now(), last_failure_at = now()";
  await set(id, `${failures}, last_error = 'timeout'`);
  succeed();
  await until("its reset", async () => (await tenant.health(id)).consecutiveFailures === 0);
  expect(isRecent((await tenant.health(id)).lastSuccessAt)).toBe(true);
  await tenant.untilAll(id, "delivered", 2);
  const rows = await webhooks.query("select failing_since from subscriptions where id = $1", id);
  expect(rows).toEqual([{ failing_since: null }]);
});

test("a success waits for a change of its subscription, and is noted after it", async () => {
  const { id, succeed } = await attemptAfterAnHour();
  const rename = "update subscriptions set name = 'Renamed' where tenant_id = $1 and id = $2";
  await using holder = await webhooks.begin(rename, tenant.tenantId, id);
  succeed();
  await webhooks.untilLocked();
  await holder.commit();
  await tenant.untilAll(id, "delivered", 2);
  await until("its note", async () => isRecent((await tenant.health(id)).lastSuccessAt));
});
