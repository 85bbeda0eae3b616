// An attempt whose lock expired and that another process repeated: it is logged, but its result comes too late to count.
import { until } from "@tradepost/testing";
import { startAttempt, useWebhooks } from "./support/use-webhooks.ts";

const RETRY_QUEUE = "webhooks.retry.1h";

// The first attempt must not time out, nor renew its claim, before the sweep takes the delivery over.
const { webhooks, receiver, tenant } = useWebhooks({
  WEBHOOKS_RETRY_SCHEDULE: "1h",
  WEBHOOKS_TIMEOUT_MS: "60000",
});

beforeEach(async () => {
  await webhooks.purge(RETRY_QUEUE);
});

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
  await webhooks.untilReady(RETRY_QUEUE, 1);
  return { id, deliveryId, delivery, respond };
};
/** Waits until both attempts are in the log. Returns the delivery. */
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
  await until("the messages of the others", async () => (await webhooks.ready(RETRY_QUEUE)) >= 3);
  expect(await webhooks.ready(RETRY_QUEUE)).toBe(3);
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
