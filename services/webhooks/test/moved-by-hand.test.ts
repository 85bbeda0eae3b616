// Messages that an operator moves between queues in the management UI do no harm, because the database decides what each
// delivery needs.
import { until } from "@tradepost/testing";
import { deadLetters } from "../src/operate.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const [DELIVERIES, RETRY] = ["webhooks.deliveries", "webhooks.retry.1h"];
const [DEAD, POISON] = ["webhooks.dead", "webhooks.poison"];

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms,1h" });

beforeEach(() => {
  receiver.behave(() => 500);
});

/** Moves the messages of a queue to another one, each `copies` times. */
const move = async (from: string, to: string, copies = 1) => {
  const messages = await webhooks.take(from, "ack_requeue_false");
  for (const { payload } of Array(copies).fill(messages).flat()) await webhooks.publish("", to, payload);
  return messages.length;
};

const failTwice = async (path: string) => {
  const { id } = await tenant.subscribe(path);
  await tenant.emit();
  await until("the second attempt", async () => (await tenant.deliveries(id))[0]?.attemptCount === 2);
  await webhooks.untilReady(RETRY, 1);
  return id;
};

/** Shortens the last wait, so that the third attempt fails too. */
const failForGood = async (path: string) => {
  const id = await failTwice(path);
  await webhooks.purge(RETRY);
  await webhooks.set("deliveries", id, "next_attempt_at = now(), queue_state = 'waiting'");
  await tenant.untilDelivery(id, "failed");
  await webhooks.untilReady(DEAD, 1);
  return id;
};

test("from a retry queue does not shorten its wait", async () => {
  const id = await failTwice("/early");
  expect(await move(RETRY, DELIVERIES)).toBe(1);
  await webhooks.untilSome(
    "select from deliveries where subscription_id = $1 and queue_state = 'waiting'",
    id,
  );
  await webhooks.untilReady(DELIVERIES, 0);
  const [delivery] = await tenant.deliveries(id);
  expect(delivery).toMatchObject({ status: "retrying", attemptCount: 2 });
  expect(Date.parse(delivery.nextAttemptAt)).toBeGreaterThan(Date.now() + 50 * 60_000);
  expect(receiver.received).toHaveLength(2);
  await tenant.unsubscribe(id);
});

test("from webhooks.dead sends its delivery once, with a new set of attempts", async () => {
  const id = await failForGood("/dead");
  receiver.received.length = 0;
  receiver.behave(() => 200);
  expect(await move(DEAD, DELIVERIES, 3)).toBe(1);
  expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({ attemptCount: 1 });
  await webhooks.untilReady(DELIVERIES, 0);
  expect(receiver.sent("x-service-attempt")).toEqual(["1"]);
  expect(await deadLetters.list(webhooks.db, { subscription: id })).toEqual([]);
  expect(await webhooks.ready(POISON)).toBe(0);
});

test("after its dead letter was purged does nothing", async () => {
  const id = await failForGood("/purged");
  receiver.received.length = 0;
  await deadLetters.purge(webhooks.db, { subscription: id });
  expect(await move(DEAD, DELIVERIES)).toBe(1);
  await webhooks.untilReady(DELIVERIES, 0);
  expect(await tenant.deliveries(id)).toMatchObject([{ status: "failed", attemptCount: 3 }]);
  expect(receiver.received).toEqual([]);
});
