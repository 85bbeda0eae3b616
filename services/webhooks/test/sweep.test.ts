// The database decides what each delivery needs. The sweep replaces lost messages, publishes dead letters that were not published,
// and repeats attempts whose process died. Messages that an operator moves between queues, and late results, do no harm.
import { type Received, until } from "@tradepost/testing";
import { deadLetters } from "../src/operate.ts";
import { startAttempt, useWebhooks } from "./support/use-webhooks.ts";

const [DELIVERIES, RETRY, DEAD] = ["webhooks.deliveries", "webhooks.retry.1h", "webhooks.dead"];
const QUEUES = ["webhooks.events", DELIVERIES, RETRY, DEAD, "webhooks.poison"];

// No attempt times out during a test.
const { webhooks, receiver, tenant } = useWebhooks({
  WEBHOOKS_RETRY_SCHEDULE: "1h",
  WEBHOOKS_SWEEP_GRACE_MS: "200",
  WEBHOOKS_TIMEOUT_MS: "60000",
});

beforeEach(async () => {
  for (const queue of [RETRY, DEAD]) await webhooks.purge(queue);
});

/** `count` deliveries after a failed attempt, with their messages in the retry queue. */
const failOnce = async (path: string, count = 1) => {
  receiver.behave(() => 500);
  const { id } = await tenant.subscribe(path);
  await tenant.emitMany(count);
  await webhooks.untilReady(RETRY, count);
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

const expectEachAttemptOnce = () => {
  const attemptOf = ({ headers }: Received) =>
    `${headers["x-service-delivery"]} ${headers["x-service-attempt"]}`;
  const same = [...Map.groupBy(receiver.received, attemptOf).values()];
  expect(new Set(same.map(({ length }) => length))).toEqual(new Set([1]));
};

test("requeues deliveries whose retry queue was purged, when they are due and not before", async () => {
  const id = await failOnce("/purged", 5);
  await webhooks.purge(RETRY);
  // A sweep finds only what is due, such as this delivery.
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
  const id = await failOnce("/undead");
  receiver.behave(() => 500);
  await webhooks.deleteQueue(DEAD);
  await letAnHourPass();
  const failed = await tenant.untilDelivery(id, "failed");
  // The sweep leaves the process that settled the last attempt time to publish it.
  const pass = "update dead_letters set failed_at = failed_at - interval '1 minute' where delivery_id = $1";
  await webhooks.query(pass, failed.id);
  await until("the queue", () => webhooks.broker.manage("GET", `/queues/${DEAD}`).catch(() => null));
  await until("the dead letter", async () => (await webhooks.ready(DEAD)) >= 1);
  const [letter] = await webhooks.take(DEAD, "ack_requeue_true");
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
  await webhooks.untilReady(DEAD, 1);
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

describe("a message that is moved by hand", () => {
  /** Moves the messages of a queue to another one, each `copies` times. */
  const move = async (from: string, to: string, copies = 1) => {
    const messages = await webhooks.take(from, "ack_requeue_false");
    for (const { payload } of Array(copies).fill(messages).flat()) await webhooks.publish("", to, payload);
    return messages.length;
  };

  const failForGood = async (path: string) => {
    const id = await failOnce(path);
    receiver.behave(() => 500);
    await tenant.act(id, "retry-waiting");
    await tenant.untilDelivery(id, "failed");
    await webhooks.untilReady(DEAD, 1);
    receiver.behave(() => 200);
    receiver.received.length = 0;
    return id;
  };

  test("from a retry queue does not shorten its wait", async () => {
    const id = await failOnce("/early");
    expect(await move(RETRY, DELIVERIES)).toBe(1);
    const waiting = "select from deliveries where subscription_id = $1 and queue_state = 'waiting'";
    await webhooks.untilSome(waiting, id);
    await webhooks.untilReady(DELIVERIES, 0);
    const [delivery] = await tenant.deliveries(id);
    expect(delivery).toMatchObject({ status: "retrying", attemptCount: 1 });
    expect(Date.parse(delivery.nextAttemptAt)).toBeGreaterThan(Date.now() + 50 * 60_000);
    expect(receiver.received).toHaveLength(1);
  });

  test("from webhooks.dead sends its delivery once, with a new set of attempts", async () => {
    const id = await failForGood("/dead");
    expect(await move(DEAD, DELIVERIES, 3)).toBe(1);
    expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({ attemptCount: 1 });
    await webhooks.untilReady(DELIVERIES, 0);
    expect(receiver.sent("x-service-attempt")).toEqual(["1"]);
    expect(await deadLetters.list(webhooks.db, { subscription: id })).toEqual([]);
    expect(await webhooks.ready("webhooks.poison")).toBe(0);
  });

  test("after its dead letter was purged does nothing", async () => {
    const id = await failForGood("/purged");
    await deadLetters.purge(webhooks.db, { subscription: id });
    expect(await move(DEAD, DELIVERIES)).toBe(1);
    await webhooks.untilReady(DELIVERIES, 0);
    expect(await tenant.deliveries(id)).toMatchObject([{ status: "failed", attemptCount: 2 }]);
    expect(receiver.received).toEqual([]);
  });
});

// The attempt's lock expired, and another process repeated it: it is logged, but its result comes too late to count.
describe("the result of an attempt that was taken over", () => {
  /** The second attempt has failed; `respond` ends the first one. */
  const takeOver = async () => {
    const { id, deliveryId, respond } = await startAttempt({ receiver, tenant });
    receiver.behave(() => 500);
    await webhooks.query(
      "update deliveries set locked_until = now() - interval '1 s' where id = $1 and locked_until is not null",
      deliveryId,
    );
    const { attempts: _, ...delivery } = await tenant.untilDelivery(id, "retrying");
    expect(delivery).toMatchObject({ attemptCount: 1 });
    await webhooks.untilReady(RETRY, 1);
    return { id, deliveryId, delivery, respond };
  };
  const untilBothLogged = async (deliveryId: string) => {
    const { attempts: _, ...delivery } = await tenant.untilAttempts(deliveryId, 2);
    return delivery;
  };

  test.each([200, 500])("changes nothing if it ends with %i", async (status) => {
    const { deliveryId, delivery, respond } = await takeOver();
    respond(status);
    expect(await untilBothLogged(deliveryId)).toEqual(delivery);
    // These messages follow any message that the late result could have published.
    await tenant.deliver("/other", "retrying");
    await until("the messages of the others", async () => (await webhooks.ready(RETRY)) >= 3);
    expect(await webhooks.ready(RETRY)).toBe(3);
  });

  test("changes nothing if the subscription is deleted before its end", async () => {
    const { id, deliveryId, respond } = await takeOver();
    await tenant.unsubscribe(id);
    const { attempts: _, ...cancelled } = await tenant.delivery(deliveryId);
    expect(cancelled).toMatchObject({ status: "cancelled", attemptCount: 1 });
    respond(200);
    expect(await untilBothLogged(deliveryId)).toEqual(cancelled);
  });

  test("changes nothing if the delivery was redelivered and its new attempt is in progress", async () => {
    const { deliveryId, respond } = await takeOver();
    // After a failure the window is 1, so this process starts no attempt before the end of the first one.
    const replica = await webhooks.startReplica();
    const endNewAttempt = receiver.hold();
    await tenant.redeliver(deliveryId);
    await until("the new attempt", () => receiver.received.length === 3);
    respond(200);
    expect(await untilBothLogged(deliveryId)).toMatchObject({ status: "pending", attemptCount: 0 });
    endNewAttempt(200);
    await until("its end", async () => (await tenant.delivery(deliveryId)).status === "delivered");
    await replica.stop();
  });
});
