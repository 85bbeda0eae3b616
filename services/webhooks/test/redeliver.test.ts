// Redelivers deliveries, whether they have ended or not: their attempts start over, earlier messages have no effect, and concurrent
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

const dead = () => deadLetters.list(webhooks.db, { tenant: tenant.tenantId });
const attemptsSent = () => receiver.sent("x-service-attempt");
/** Publishes a late message of the first generation. */
const publishOldJob = async (deliveryId: string, attempt: number) => {
  const job = { delivery_id: deliveryId, tenant_id: tenant.tenantId, generation: 1, attempt };
  await webhooks.publish("", DELIVERIES_QUEUE, JSON.stringify(job));
  await webhooks.untilReady(DELIVERIES_QUEUE, 0);
};

/** A delivery that waits for its retry, and is delivered by it. */
const failOnce = async () => {
  receiver.behave(() => 500);
  const failed = await tenant.deliver("/hook", "retrying");
  receiver.behave(() => 200);
  return failed;
};
const failForGood = async () => {
  const failed = await failOnce();
  receiver.behave(() => 500);
  await tenant.act(failed.id, "retry-waiting");
  await tenant.untilDelivery(failed.id, "failed");
  receiver.behave(() => 200);
  return failed;
};

test("a delivered one makes it pending, sends it again, and is in the audit log", async () => {
  const { deliveryId, delivery } = await tenant.deliver("/hook");
  const { status, body } = await tenant.redeliver(deliveryId);
  expect(status).toBe(202);
  const { attempts: _, request: __, outcome: ___, ...before } = delivery;
  const nextAttemptAt = expect.any(String);
  const pending = { status: "pending", attemptCount: 0, nextAttemptAt, completedAt: null };
  expect(body.data).toEqual({ ...before, ...pending });
  const again = await tenant.untilAttempts(deliveryId, 2, "delivered");
  expect(again).toMatchObject({ attemptCount: 1, createdAt: before.createdAt });
  const [first, second] = again.attempts;
  expect(first).toEqual(delivery.attempts[0]);
  // The first attempt at the receiver opened a connection.
  const { address, phases } = first;
  expect(first).toMatchObject({ round: 1, attempt: 1, isReusedConnection: false });
  expect([address, phases.tlsMs]).toEqual([expect.any(String), expect.any(Number)]);
  const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
  // On a slow machine the connection may have been idle for too long.
  const shown = second.isReusedConnection ? none : { tlsMs: expect.any(Number) };
  expect(second).toMatchObject({ round: 2, attempt: 1, address, phases: shown });
  expect(await webhooks.auditEntries(tenant.tenantId, deliveryId)).toEqual([
    {
      action: "webhook_delivery.redelivered",
      actor: expect.objectContaining({ type: "user" }),
      data: { target: { type: "webhook_delivery", id: deliveryId }, changes: {} },
    },
  ]);
  expect(receiver.sent("x-service-delivery")).toEqual([deliveryId, deliveryId]);
  expect(attemptsSent()).toEqual(["1", "1"]);
});

test("a failed one removes its dead letter, and its log has all attempts", async () => {
  const { deliveryId } = await failForGood();
  expect(await dead()).toMatchObject([{ deliveryId }]);
  expect((await tenant.redeliver(deliveryId)).status).toBe(202);
  expect(await dead()).toEqual([]);
  expect((await tenant.untilAttempts(deliveryId, 3, "delivered")).attempts).toMatchObject([
    ...[1, 2].map((attempt) => ({ attempt, outcome: "http_status" })),
    { attempt: 1, outcome: "delivered" },
  ]);
  expect(await dead()).toEqual([]);
});

test("makes it paused if its subscription is paused, and it is sent after a resume", async () => {
  const { id, deliveryId } = await tenant.deliver("/hook");
  await tenant.setActive(id, false);
  const { status, body } = await tenant.redeliver(deliveryId);
  expect(status).toBe(202);
  expect(body.data).toMatchObject({ status: "paused", attemptCount: 0, nextAttemptAt: null });
  // A second redelivery changes nothing.
  expect((await tenant.redeliver(deliveryId)).body.data).toEqual(body.data);
  expect(receiver.received).toHaveLength(1);
  await tenant.setActive(id, true);
  await tenant.untilAttempts(deliveryId, 2, "delivered");
  expect(receiver.received).toHaveLength(2);
});

test("is a conflict after its subscription was deleted, for cancelled and for delivered deliveries", async () => {
  const { id, deliveryId: delivered } = await tenant.deliver("/hook");
  await tenant.setActive(id, false);
  await tenant.emit();
  const { id: cancelled } = await tenant.untilDelivery(id, "paused");
  await tenant.unsubscribe(id);
  for (const [status, deliveryId] of Object.entries({ delivered, cancelled })) {
    const refusal = await tenant.redeliver(deliveryId);
    expect([refusal.status, refusal.body.error.code]).toEqual([409, "conflict"]);
    expect(await tenant.delivery(deliveryId)).toMatchObject({ status });
    expect(await webhooks.auditEntries(tenant.tenantId, deliveryId)).toEqual([]);
  }
});

test("an open one makes attempt 1 at once if it waits for a retry", async () => {
  const { id, deliveryId } = await failOnce();
  const { body } = await tenant.redeliver(deliveryId);
  expect(body.data).toMatchObject({ status: "pending", attemptCount: 0 });
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
  const { id, deliveryId } = await failForGood();
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
