// The sweep replaces lost messages, publishes dead letters that were not published, and repeats attempts whose process
// died. Every delivery ends, even if the broker loses all messages.
import { type Received, until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const RETRY_QUEUE = "webhooks.retry.1h";
const DEAD_QUEUE = "webhooks.dead";
const QUEUES = ["webhooks.events", "webhooks.deliveries", RETRY_QUEUE, DEAD_QUEUE, "webhooks.poison"];

const { webhooks, receiver, tenant } = useWebhooks({
  WEBHOOKS_RETRY_SCHEDULE: "1h",
  WEBHOOKS_SWEEP_GRACE_MS: "200",
});

/** `count` deliveries after a failed attempt, with their messages in the retry queue. */
const failOnce = async (path: string, count: number) => {
  receiver.behave(() => 500);
  const { id } = await tenant.subscribe(path);
  const before = await webhooks.ready(RETRY_QUEUE);
  await tenant.emitMany(count);
  await webhooks.untilReady(RETRY_QUEUE, before + count);
  receiver.behave(() => 200);
  return id;
};

const letAnHourPass = () =>
  webhooks.query(`update deliveries set next_attempt_at = next_attempt_at - interval '1 hour', enqueued_at = enqueued_at - interval '1 hour'
      where status = 'retrying'`);

const untilAllExist = () =>
  until("all queues to exist again", async () => {
    const queues = (await webhooks.broker.manage("GET", "/queues")) as { name: string }[];
    return QUEUES.every((queue) => queues.some(({ name }) => name === queue));
  });

/** Each attempt of each delivery was sent once. */
const expectEachAttemptOnce = () => {
  const attemptOf = ({ headers }: Received) =>
    `${headers["x-service-delivery"]} ${headers["x-service-attempt"]}`;
  const same = [...Map.groupBy(receiver.received, attemptOf).values()];
  expect(new Set(same.map(({ length }) => length))).toEqual(new Set([1]));
};

test("requeues deliveries whose retry queue was purged, when they are due and not before", async () => {
  const id = await failOnce("/purged", 5);
  await webhooks.purge(RETRY_QUEUE);
  // A sweep runs: it attempts deliveries that are due, and these are not.
  const { deliveryId: delivered } = await tenant.deliver("/sweep-passed");
  const [swept] = await webhooks.copyDelivery(delivered, 1, { lockedFor: null });
  await until("a sweep", async () => (await tenant.delivery(swept ?? "")).status === "delivered");
  expect((await tenant.statuses(id)).filter((status) => status === "retrying")).toHaveLength(5);

  await letAnHourPass();
  await tenant.untilAll(id, "delivered", 6);
  expectEachAttemptOnce();
});

test("sends every waiting delivery after all queues were deleted at once", async () => {
  const id = await failOnce("/all-deleted", 10);
  await Promise.all(QUEUES.map((queue) => webhooks.deleteQueue(queue)));
  await letAnHourPass();
  await tenant.untilAll(id, "delivered", 10);
  expectEachAttemptOnce();
  await untilAllExist();
});

test("publishes a dead letter when webhooks.dead exists again", async () => {
  const id = await failOnce("/undead", 1);
  receiver.behave(() => 500);
  await webhooks.deleteQueue(DEAD_QUEUE);
  await letAnHourPass();
  const failed = await tenant.untilDelivery(id, "failed");
  // The sweep leaves the process that settled the last attempt time to publish it.
  const pass = "update dead_letters set failed_at = failed_at - interval '1 minute' where delivery_id = $1";
  await webhooks.query(pass, failed.id);
  await until("the queue", () => webhooks.broker.manage("GET", `/queues/${DEAD_QUEUE}`).catch(() => null));
  await until("the dead letter", async () => (await webhooks.ready(DEAD_QUEUE)) >= 1);
  const [letter] = await webhooks.take(DEAD_QUEUE, "ack_requeue_true");
  expect(JSON.parse(letter?.payload ?? "")).toMatchObject({
    delivery_id: failed.id,
    tenant_id: tenant.tenantId,
    subscription_id: id,
    attempts: 2,
    reason: "http_status 500",
  });
  const published = "select from dead_letters where delivery_id = $1 and published_at is not null";
  await webhooks.untilSome(published, failed.id);
  // The message that was looked at returns to the queue.
  await webhooks.untilReady(DEAD_QUEUE, 1);
});

test("repeats an attempt whose process died, and not one that is in progress", async () => {
  const { id, delivery: delivered } = await tenant.deliver("/locked");
  const inProgress = await webhooks.copyDelivery(delivered.id, 3, { lockedFor: "1 hour" });
  const abandoned = await webhooks.copyDelivery(delivered.id, 3, { lockedFor: "-1 second" });
  await until("the abandoned ones", async () => {
    const deliveries = await Promise.all(abandoned.map(tenant.delivery));
    return deliveries.every(({ status }) => status === "delivered");
  });
  const others = await Promise.all(inProgress.map(tenant.delivery));
  expect(others.map(({ status, attempts }) => [status, attempts])).toEqual(
    inProgress.map(() => ["pending", []]),
  );
  await webhooks.query("update deliveries set locked_until = now() where id = any($1)", inProgress);
  await tenant.untilAll(id, "delivered", 7);
  expectEachAttemptOnce();
});
