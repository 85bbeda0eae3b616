// A listener that nobody leases from expires: it is paused, and the next lease continues with the oldest delivery (interface §12).
import { until } from "@tradepost/testing";
import { explainDelivery } from "../src/operate.ts";
import { listen, type TestListener } from "./support/listen.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

let listener: TestListener;

const { webhooks, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1ms,1h" });
beforeEach(async () => {
  listener = await listen(tenant, { expiresInHours: 3 });
});

const endAfter = (time: string) =>
  webhooks.set("listeners", listener.id, `expires_at = now() + interval '${time}'`);
const expire = async () => {
  await endAfter("-1 minute");
  await until("its expiry", async () => !(await listener.read()).active);
};
const untilWaiting = async (counts: Record<string, number>) =>
  await until(`deliveries that wait: ${JSON.stringify(counts)}`, async () => {
    const { waiting } = await listener.read();
    return Object.entries({ pending: 0, retrying: 0, leased: 0, paused: 0, ...counts }).every(
      ([name, count]) => waiting[name] === count,
    );
  });
const notices = async () => await tenant.notices("?kind=listener_expired");
const statuses = async () => (await tenant.statuses(listener.id)).sort();

/** Two deliveries, of which the first has failed once. */
const emitTwoAndFailOne = async () => {
  await tenant.emit();
  const [failed] = await listener.lease({ limit: 1, waitSeconds: 25 });
  await listener.report(failed?.deliveryId ?? "", { attempt: 1, outcome: "timeout" });
  await tenant.emit();
  await untilWaiting({ pending: 1, retrying: 1 });
  return failed?.deliveryId ?? "";
};

test("each lease moves its expiry", async () => {
  await endAfter("1 second");
  await listener.lease();
  const { expiresAt, active } = await listener.read();
  const [{ now }] = await webhooks.query("select now()");
  expect([active, Math.round((Date.parse(expiresAt) - now.getTime()) / 3_600_000)]).toEqual([true, 3]);
});

test("keeps what waits and what comes as paused, and the next lease continues with the oldest", async () => {
  const failedId = await emitTwoAndFailOne();
  await expire();
  await untilWaiting({ paused: 2 });
  await tenant.emit();
  await untilWaiting({ paused: 3 });
  expect(await statuses()).toEqual(["paused", "paused", "paused"]);
  const explained = await explainDelivery(webhooks.db, failedId);
  expect([explained?.where, explained?.because]).toEqual([
    "paused",
    "Its listener has expired; the next lease continues with the oldest delivery. Attempt 1: timeout.",
  ]);
  const leased = await listener.lease({ limit: 2 });
  expect(leased.map(({ deliveryId, attempt }) => [deliveryId === failedId, attempt])).toEqual([
    [true, 2],
    [false, 1],
  ]);
  const { active, waiting } = await listener.read();
  expect([active, waiting]).toEqual([true, { pending: 1, retrying: 0, leased: 2, paused: 0 }]);
});

test("a lease that waits resumes it too", async () => {
  await expire();
  const waiting = listener.lease({ waitSeconds: 25 });
  await until("the listener to be active", async () => (await listener.read()).active);
  const eventId = await tenant.emit();
  expect((await waiting).map(({ headers }) => headers["X-service-Event-Id"])).toEqual([eventId]);
});

test("an attempt that was leased before it expired still counts", async () => {
  await tenant.emit();
  await tenant.emit();
  await untilWaiting({ pending: 2 });
  const [one, other] = await listener.lease();
  await expire();
  await tenant.untilAll(listener.id, "paused");
  await listener.report(one?.deliveryId ?? "", { attempt: 1, statusCode: 200, durationMs: 1 });
  await listener.report(other?.deliveryId ?? "", { attempt: 1, statusCode: 500, durationMs: 1 });
  expect(await statuses()).toEqual(["delivered", "paused"]);
  expect((await listener.lease()).map(({ deliveryId, attempt }) => [deliveryId, attempt])).toEqual([
    [other?.deliveryId, 2],
  ]);
});

test("its large backlog is resumed oldest first", async () => {
  // More than one batch of a reconciliation.
  const COUNT = 620;
  await tenant.emit();
  const [first] = await listener.lease({ waitSeconds: 25 });
  const ids = await webhooks.copyDelivery(first?.deliveryId ?? "", COUNT, { lockedFor: null });
  // Otherwise its lease may run out, and it is leased again in the middle of the others.
  await listener.report(first?.deliveryId ?? "", { attempt: 1, statusCode: 200, durationMs: 1 });
  const shuffled = "queue_state = 'waiting', created_at = now() - random() * interval '1 hour'";
  await webhooks.set("deliveries", listener.id, shuffled);
  await expire();
  const unpaused = "select from deliveries where subscription_id = $1 and status <> 'paused'";
  await webhooks.untilNone(unpaused, listener.id);
  const oldestFirst = "select id from deliveries where id = any($1) order by created_at, id";
  const rows = await webhooks.query(oldestFirst, ids);
  const leased: string[] = [];
  while (leased.length < COUNT) {
    const deliveries = await listener.lease({ limit: 100, waitSeconds: 25 });
    const batch = deliveries.map(({ deliveryId }) => deliveryId);
    leased.push(...batch);
    // A listener has at most 100 leased at a time. To report each would take 620 requests.
    await webhooks.query("delete from deliveries where id = any($1)", batch);
  }
  expect(leased).toEqual(rows.map(({ id }) => id));
});

test("has a notice with what waits, paused or not, until the next lease", async () => {
  await emitTwoAndFailOne();
  expect(await notices()).toEqual([]);
  await expire();
  const open = { kind: "listener_expired", subscriptionId: listener.id, closedAt: null };
  expect(await notices()).toMatchObject([{ ...open, facts: { waiting: 2 } }]);
  await tenant.emit();
  await tenant.untilAll(listener.id, "paused", 3);
  expect(await notices()).toMatchObject([{ ...open, facts: { waiting: 3 } }]);
  await listener.lease();
  expect(await notices()).toMatchObject([{ ...open, closedAt: expect.any(String) }]);
});

test("can be deleted, and then has no open notice and no open delivery", async () => {
  await tenant.emit();
  await untilWaiting({ pending: 1 });
  await expire();
  expect(await notices()).toMatchObject([{ closedAt: null }]);
  expect((await tenant.owner().delete(listener.path)).status).toBe(200);
  expect(await notices()).toMatchObject([{ closedAt: expect.any(String) }]);
  await until("the delivery to be cancelled", async () => (await statuses())[0] === "cancelled");
});

test("two replicas expire it once", async () => {
  await webhooks.startReplica();
  const { createdAt: _, ...before } = await listener.read();
  await expire();
  await listener.lease();
  await expire();
  const rows = await webhooks.query("select version from subscriptions where id = $1", listener.id);
  expect([before.active, rows[0].version]).toEqual([true, 4]);
});
