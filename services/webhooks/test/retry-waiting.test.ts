// Deliveries that wait for a retry become due at once, however many there are, and a hold ends, although its endpoint is down or has
// limits (interface §17).
import { until } from "@tradepost/testing";
import { PATIENCE } from "../src/sending/next-attempt.ts";
import { insertBacklog } from "./support/backlog.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const DELAYED = 3;

const { webhooks, receiver, tenant } = useWebhooks(
  {
    WEBHOOKS_RETRY_SCHEDULE: "50ms,50ms,50ms,50ms,50ms,50ms,50ms,50ms,50ms,1h",
    WEBHOOKS_TIMEOUT_MS: "60000",
  },
  { patience: { ...PATIENCE, downAfterMs: 100, tryEveryMs: 3_600_000 } },
);

/** Subscribes an endpoint that works, with deliveries that wait for a retry in an hour. */
async function subscribeWithDelayed() {
  const { id } = await tenant.subscribe("/works");
  const { oldest } = await insertBacklog(webhooks.pool, tenant, id, DELAYED, "delayed");
  return { id, oldest };
}

test("what waits for a retry is due now when an admin asks, a hold ends, and attempts are not reset", async () => {
  receiver.askToWait();
  const { id } = await tenant.subscribe("/later");
  await tenant.emit({ number: 1 });
  await until("the failure", async () => (await tenant.health(id)).consecutiveFailures === 1);
  await tenant.emit({ number: 2 });
  await until("both to wait", async () => (await tenant.health(id)).waiting === 2);
  receiver.behave(() => 200);
  const retried = await tenant.act(id, "retry-waiting", {});
  expect(retried).toMatchObject({ status: 202, body: { data: { waiting: 2 } } });
  await tenant.untilAll(id, "delivered");
  // Newest first.
  expect(await tenant.deliveries(id)).toMatchObject([{ attemptCount: 1 }, { attemptCount: 2 }]);
});

test("a request that fails halfway is completed when it is repeated with its key", async () => {
  const { id } = await subscribeWithDelayed();
  const retry = () => tenant.act(id, "retry-waiting", undefined, { "idempotency-key": "k" });
  await webhooks.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before update on deliveries execute function refuse()`);
  expect((await retry()).status).toBe(500);
  await webhooks.query("drop function refuse cascade");
  const repeated = await retry();
  expect(repeated).toMatchObject({ status: 202, body: { data: { waiting: DELAYED } } });
  expect(repeated.headers.get("idempotent-replayed")).toBeNull();
  await until("all to be delivered", () => receiver.received.length === DELAYED);
  const again = await retry();
  expect([again.headers.get("idempotent-replayed"), again.body]).toEqual(["true", repeated.body]);
});

test("a delivery that another transaction has locked becomes due too", async () => {
  const { id, oldest } = await subscribeWithDelayed();
  // As when a delivery returns from its retry queue.
  const text = "update deliveries set queue_state = 'waiting' where id = $1";
  await using returning = await webhooks.begin(text, oldest);
  const retried = tenant.act(id, "retry-waiting", {});
  // It waits, or has ended.
  await webhooks.untilSome(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       union all select from deliveries where subscription_id = $1 and next_attempt_at <= now()
       union all select from delivery_log where subscription_id = $1`,
    id,
  );
  await returning.commit();
  expect((await retried).status).toBe(202);
  await until("all to be delivered", () => receiver.received.length === DELAYED);
});

/** Makes an endpoint that is down, or that has limits and asks to wait, while deliveries are due. */
async function hold(kind: "is down" | "has limits") {
  const { id } = await tenant.subscribe("/held");
  if (kind === "has limits") await tenant.change(id, { maxPerSecond: 100, maxInFlight: 1 });
  if (kind === "is down") receiver.behave(() => 500);
  else receiver.askToWait();
  await insertBacklog(webhooks.pool, tenant, id, 30);
  await webhooks.set("deliveries", id, "queue_state = 'waiting', next_attempt_at = created_at");
  await until("the hold, and all to wait", async () => {
    const { heldUntil, status, waiting } = await tenant.health(id);
    return heldUntil !== null && (kind !== "is down" || status === "down") && waiting === 30;
  });
  receiver.behave(() => 200);
  // An attempt that began just before the hold and fails holds the endpoint again.
  await webhooks.untilNone("select from deliveries where subscription_id = $1 and locked_until > now()", id);
  return id;
}

test.each([410, 503])("a %i from the former URL says nothing about the new one", async (status) => {
  let respond: () => void = () => undefined;
  receiver.behave(() => (res) => {
    respond = () => res.writeHead(status, { "retry-after": "3600" }).end();
  });
  const { id } = await tenant.subscribe("/former");
  await tenant.emit();
  await receiver.waitFor("the attempt", ({ path }) => path === "/former");
  await tenant.change(id, { url: `${receiver.url}/new` });
  receiver.behave(() => 200);
  respond();
  await tenant.untilDelivery(id, "delivered");
  expect(await tenant.health(id)).toMatchObject({ status: "healthy", heldUntil: null });
  expect(await tenant.notices()).toEqual([]);
  expect(receiver.paths()).toEqual(["/former", "/new"]);
});

describe.each(["is down", "has limits"] as const)("the hold of an endpoint that %s", (kind) => {
  test("ends with retry-waiting", async () => {
    const id = await hold(kind);
    expect((await tenant.act(id, "retry-waiting", {})).status).toBe(202);
    await tenant.untilAll(id, "delivered");
  });

  test("ends with another URL", async () => {
    const id = await hold(kind);
    await tenant.change(id, { url: `${receiver.url}/new` });
    // A delivery that failed at the former URL waits for its next attempt.
    await until("the others to be delivered", async () =>
      (await tenant.deliveries(id)).every((one) => one.status === "delivered" || one.attemptCount > 0),
    );
  });
});

test("what becomes due at once is due in the order of its age", async () => {
  const respond = receiver.hold();
  const { id } = await tenant.subscribe("/hangs");
  const COUNT = 12_000;
  await insertBacklog(webhooks.pool, tenant, id, COUNT, "delayed");
  const retried = await tenant.act(id, "retry-waiting", {});
  expect(retried).toMatchObject({ status: 202, body: { data: { waiting: COUNT } } });
  const rows = await webhooks.query(
    `select count(*)::integer as due,
            count(*) filter (where next_attempt_at < before)::integer as early
       from (select next_attempt_at, lag(next_attempt_at) over (order by created_at, id) as before
               from deliveries where subscription_id = $1 and next_attempt_at <= now()) delivery`,
    id,
  );
  expect(rows).toEqual([{ due: COUNT, early: 0 }]);
  await until("the first attempts", () => receiver.received.length >= 2);
  receiver.behave(() => 200);
  respond(200);
});
