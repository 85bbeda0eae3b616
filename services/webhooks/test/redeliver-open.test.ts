// Redelivers deliveries that have not ended: their attempts start over, earlier messages have no effect, and concurrent
// redeliveries, redrives and deletions do not disturb each other.
import { until } from "@tradepost/testing";
import { deadLetters } from "../src/operate.ts";
import { startAttempt, useWebhooks } from "./support/use-webhooks.ts";

const DELIVERIES_QUEUE = "webhooks.deliveries";

// As dispatch does after a success.
const SETTLE = `
  with closed as (delete from deliveries where id = $1 returning *)
  insert into delivery_log
  select tenant_id, id, subscription_id, event_id, type, 'delivered', attempt_count + 1, generation, created_at, now()
    from closed`;

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1h" });

const attemptsSent = () => receiver.sent("x-service-attempt");
/** Publishes a late message of its first generation. */
const publishOldJob = async (deliveryId: string, attempt: number) => {
  const job = { delivery_id: deliveryId, tenant_id: tenant.tenantId, generation: 1, attempt };
  await webhooks.publish("", DELIVERIES_QUEUE, JSON.stringify(job));
  await webhooks.untilReady(DELIVERIES_QUEUE, 0);
};

const failOnce = async () => {
  receiver.behave(() => 500);
  return await tenant.deliver("/hook", "retrying");
};

test("makes attempt 1 at once if the delivery waits for a retry", async () => {
  const { id, deliveryId } = await failOnce();
  receiver.behave(() => 200);
  expect((await tenant.redeliver(deliveryId)).body.data).toMatchObject({
    status: "pending",
    attemptCount: 0,
  });
  expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({ id: deliveryId, attemptCount: 1 });
  await publishOldJob(deliveryId, 2);
  expect(attemptsSent()).toEqual(["1", "1"]);
});

test("starts a new attempt while one is in progress, and only logs the result of the old one", async () => {
  const { id, deliveryId, respond } = await startAttempt({ receiver, tenant });
  expect((await tenant.redeliver(deliveryId)).status).toBe(202);
  await tenant.untilDelivery(id, "delivered");
  respond(500);
  expect(await tenant.untilAttempts(deliveryId, 2)).toMatchObject({
    status: "delivered",
    attemptCount: 1,
    attempts: [{ outcome: "http_status" }, { outcome: "delivered" }],
  });
  expect(attemptsSent()).toEqual(["1", "1"]);
});

test("many times at once sends it at most once for each request", async () => {
  const { id, deliveryId } = await failOnce();
  receiver.behave(() => 200);
  const responses = await Promise.all(Array.from({ length: 10 }, () => tenant.redeliver(deliveryId)));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 202));
  await until("the end", async () => {
    const delivery = await tenant.untilDelivery(id, "delivered");
    return delivery.attempts.length === receiver.received.length;
  });
  expect(receiver.received.length).toBeLessThanOrEqual(11);
  const rows = await webhooks.query("select generation from delivery_log where id = $1", deliveryId);
  expect(rows).toEqual([{ generation: 11 }]);
});

test("restarts a delivery that ends while the redelivery waits for its row", async () => {
  const { id, deliveryId } = await failOnce();
  receiver.behave(() => 200);
  await using settling = await webhooks.begin(SETTLE, deliveryId);
  const redelivered = tenant.redeliver(deliveryId);
  await webhooks.untilLocked();
  await settling.commit();
  expect((await redelivered).body.data).toMatchObject({ status: "pending", attemptCount: 0 });
  await tenant.untilDelivery(id, "delivered");
  const rows = await webhooks.query("select generation from delivery_log where id = $1", deliveryId);
  expect(rows).toEqual([{ generation: 2 }]);
});

test("makes a redrive of the same dead letter wait, which then restarts nothing", async () => {
  const { id, deliveryId } = await failOnce();
  receiver.behave(() => 500);
  const queued = "attempt_count = 1, queue_state = 'queued', next_attempt_at = now()";
  await webhooks.set("deliveries", deliveryId, queued);
  await publishOldJob(deliveryId, 2);
  await tenant.untilDelivery(id, "failed");
  receiver.behave(() => 200);
  await using holder = await webhooks.begin("select from delivery_log where id = $1 for update", deliveryId);
  const redelivered = tenant.redeliver(deliveryId);
  await webhooks.untilLocked();
  const redriven = deadLetters.redrive(webhooks.db, { delivery: deliveryId });
  await webhooks.untilLocked(2);
  await holder.commit();
  expect((await redelivered).status).toBe(202);
  expect(await redriven).toEqual({ matched: 1, redriven: 0 });
  await tenant.untilDelivery(id, "delivered");
  expect(attemptsSent()).toEqual(["1", "2", "1"]);
});
