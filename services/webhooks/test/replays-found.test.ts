// What replays find: deliveries that were given up, events whose rows in the log were dropped, and every event that was received while
// the subscription was created or changed (interface §18).
import { expect, test } from "@jest/globals";
import { newId } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { applyRetention } from "../src/log/retention.ts";
import { ageDelivery, makeDays } from "./support/past-days.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const LOG_DAYS = 30;

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

const start = async (subscriptionId: string, body: object) =>
  (
    await tenant.act(subscriptionId, "replays", {
      since: "2020-01-01T00:00:00Z",
      ...body,
    })
  ).body.data;
const matched = async (subscriptionId: string, body: object) =>
  (await start(subscriptionId, { dryRun: true, ...body })).matched;

const failed = async () => {
  receiver.behave(() => 500);
  const { id } = await tenant.subscribe(`${receiver.url}/hook`);
  await webhooks.emit(tenant.tenantId, {}, { id: newId() });
  const delivery = await tenant.untilDelivery(id, "failed");
  receiver.behave(() => 200);
  return { id, delivery };
};

/** Moves a delivery and its event so far back that the log is dropped, while the event is kept. */
const dropFromLog = async (deliveryId: string) => {
  await makeDays(webhooks.pool, [LOG_DAYS + 1], ["delivery_log", "attempts"]);
  await ageDelivery(webhooks.pool, deliveryId, LOG_DAYS + 1);
  expect((await applyRetention(webhooks.pool, LOG_DAYS)).join()).toMatch(/delivery_log_\d+/);
};

test.each(["expired", "overflow"])(
  "deliveries with the outcome %s are found among all, as among those that failed",
  async (outcome) => {
    const { id, delivery } = await failed();
    await webhooks.query("update delivery_log set outcome = $2 where id = $1", delivery.id, outcome);
    for (const include of ["failed", "all"]) {
      expect([include, await matched(id, { include, outcome })]).toEqual([include, 1]);
      expect([include, await matched(id, { include, outcome: "http_status" })]).toEqual([include, 0]);
      expect([include, await matched(id, { include, outcome, statusCode: 500 })]).toEqual([include, 1]);
    }
  },
);

test("dead letters whose row in the log was dropped are found and sent", async () => {
  const { id, delivery } = await failed();
  await dropFromLog(delivery.id);
  // The attempts are dropped a day later.
  await webhooks.query("delete from attempts where delivery_id = $1", delivery.id);
  for (const include of ["failed", "all"]) {
    expect([include, await matched(id, { include })]).toEqual([include, 1]);
    expect([include, await matched(id, { include, outcome: "http_status", statusCode: 500 })]).toEqual([
      include,
      1,
    ]);
    expect([include, await matched(id, { include, outcome: "timeout" })]).toEqual([include, 0]);
  }
  receiver.received.length = 0;
  await start(id, { include: "failed" });
  expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({ id: delivery.id });
  expect(receiver.received).toHaveLength(1);
});

test("events from before the log get no second delivery, but a first one if nothing matched them", async () => {
  const { id } = await tenant.subscribe(`${receiver.url}/hook`);
  await webhooks.emit(tenant.tenantId, {}, { id: newId() });
  const { id: deliveryId } = await tenant.untilDelivery(id, "delivered");
  const neverMatched = await webhooks.emit(tenant.tenantId, {}, { id: newId(), type: "redirect.removed" });
  await until("the other event", async () => {
    const { rowCount } = await webhooks.pool.query(
      "update events set received_at = received_at - $2 * interval '1 day' where id = $1",
      [neverMatched, LOG_DAYS + 1],
    );
    return rowCount === 1;
  });
  await tenant.change(id, { events: ["redirect.added", "redirect.removed"] });
  await dropFromLog(deliveryId);
  expect(await tenant.deliveries(id)).toEqual([]);
  for (const include of ["missing", "all"])
    expect([include, await matched(id, { include })]).toEqual([include, 1]);
  await start(id, { include: "missing" });
  expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({ eventId: neverMatched });
});

/** Holds back the insertion of an event that was already matched with the subscriptions. */
const holdInsertion = async () => {
  const lock = await webhooks.begin("lock table events in exclusive mode");
  await webhooks.emit(tenant.tenantId);
  await until("the event to wait for the lock", async () => {
    const { length: rowCount } = await webhooks.query(
      "select from pg_locks where relation = 'events'::regclass and not granted",
    );
    return rowCount === 1;
  });
  return lock;
};

const replay = async (id: string) => (await tenant.owner().get(`/v1/webhooks/replays/${id}`)).body.data;

test("an event that is being stored while the subscription is created is sent", async () => {
  await using lock = await holdInsertion();
  const { id } = await tenant.subscribe(`${receiver.url}/hook`);
  await sendsOnceReleased(id, lock);
});

test("an event that is being stored while the subscription gets its type is sent", async () => {
  const { id } = await tenant.subscribe(`${receiver.url}/hook`, ["redirect.removed"]);
  await using lock = await holdInsertion();
  await tenant.change(id, { events: ["redirect.added"] });
  await sendsOnceReleased(id, lock);
});

const sendsOnceReleased = async (id: string, lock: { commit(): Promise<unknown> }) => {
  const { id: replayId } = await start(id, { include: "missing" });
  const before = await replay(replayId);
  await lock.commit();
  expect(before).toMatchObject({ status: "running", requeued: 0 });
  await tenant.untilDelivery(id, "delivered");
  await until("the end", async () => (await replay(replayId)).status === "finished");
  expect(await replay(replayId)).toMatchObject({ matched: 1, requeued: 1, skipped: 0 });
};
