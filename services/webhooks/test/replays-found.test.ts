// What replays find: deliveries that were given up, events whose rows in the log were dropped, and every event that was received while
// the subscription was changed (interface §18). known-matches.test.ts shows a subscription that is created meanwhile.
import { newId } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { applyRetention } from "../src/log/retention.ts";
import { failDeliveries } from "./support/failed-deliveries.ts";
import { ageDelivery, makeDays } from "./support/past-days.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const LOG_DAYS = 30;

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

const start = async (subscriptionId: string, include: string, more?: object) =>
  (await tenant.replay(subscriptionId, include, more)).body.data;
/** Expects how many deliveries each of the replays would send. */
const expectMatched = async (
  subscriptionId: string,
  includes: string[],
  counts: [more: object, count: number][],
) => {
  for (const include of includes)
    for (const [more, count] of counts) {
      const { matched } = await start(subscriptionId, include, { dryRun: true, ...more });
      expect([include, more, matched]).toEqual([include, more, count]);
    }
};
const failed = () => failDeliveries({ webhooks, receiver, tenant }, 1, { id: newId() });

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
    await expectMatched(
      id,
      ["failed", "all"],
      [
        [{ outcome }, 1],
        [{ outcome: "http_status" }, 0],
        [{ outcome, statusCode: 500 }, 1],
      ],
    );
  },
);

test("dead letters whose row in the log was dropped are found and sent", async () => {
  const { id, delivery } = await failed();
  await dropFromLog(delivery.id);
  // The attempts are dropped a day later.
  await webhooks.query("delete from attempts where delivery_id = $1", delivery.id);
  await expectMatched(
    id,
    ["failed", "all"],
    [
      [{}, 1],
      [{ outcome: "http_status", statusCode: 500 }, 1],
      [{ outcome: "timeout" }, 0],
    ],
  );
  await start(id, "failed");
  expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({ id: delivery.id });
  expect(receiver.received).toHaveLength(1);
});

test("events from before the log get no second delivery, but a first one if nothing matched them", async () => {
  const { id, deliveryId } = await tenant.deliver("/hook", "delivered", { id: newId() });
  const neverMatched = await tenant.emit({}, { id: newId(), type: "redirect.removed" });
  await webhooks.untilSome(
    "update events set received_at = received_at - $2 * interval '1 day' where id = $1 returning id",
    neverMatched,
    LOG_DAYS + 1,
  );
  await tenant.change(id, { events: ["redirect.added", "redirect.removed"] });
  await dropFromLog(deliveryId);
  expect(await tenant.deliveries(id)).toEqual([]);
  await expectMatched(id, ["missing", "all"], [[{}, 1]]);
  await start(id, "missing");
  expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({ eventId: neverMatched });
});

test("an event that is being stored while the subscription gets its type is sent", async () => {
  const { id } = await tenant.subscribe("/hook", ["redirect.removed"]);
  // Holds back the insertion of an event that was already matched with the subscriptions.
  await using lock = await webhooks.begin("lock table events in exclusive mode");
  await tenant.emit();
  await webhooks.untilSome("select from pg_locks where relation = 'events'::regclass and not granted");
  await tenant.change(id, { events: ["redirect.added"] });
  const { id: replayId } = await start(id, "missing");
  const replay = () => tenant.get(`replays/${replayId}`);
  const before = await replay();
  await lock.commit();
  expect(before).toMatchObject({ status: "running", requeued: 0 });
  await tenant.untilDelivery(id, "delivered");
  await until("the end", async () => (await replay()).status === "finished");
  expect(await replay()).toMatchObject({ matched: 1, requeued: 1, skipped: 0 });
});
