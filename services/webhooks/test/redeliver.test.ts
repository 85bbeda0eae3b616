import { deadLetters } from "../src/operate.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const DEAD_QUEUE = "webhooks.dead";

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

const dead = () => deadLetters.list(webhooks.db, { tenant: tenant.tenantId });

const sent = () =>
  receiver.received.map(({ headers }) => [headers["x-service-delivery"], headers["x-service-attempt"]]);

/** A subscription and its delivery that has ended: delivered after a 200, otherwise failed and a dead letter. */
const settled = async (status: number) => {
  const deadBefore = await webhooks.ready(DEAD_QUEUE);
  receiver.behave(() => status);
  const { id: subscriptionId, ...made } = await tenant.deliver(
    "/hook",
    status === 200 ? "delivered" : "failed",
  );
  // The message is published after the status is stored, and a late one would disturb a test that counts messages.
  if (status !== 200) await webhooks.untilReady(DEAD_QUEUE, deadBefore + 1);
  return { subscriptionId, ...made };
};

test("a delivered one makes it pending, sends it again, and is in the audit log", async () => {
  const { deliveryId, delivery } = await settled(200);
  const { status, body } = await tenant.redeliver(deliveryId);
  expect(status).toBe(202);
  const { attempts: _, request: __, outcome: ___, ...before } = delivery;
  const pending = {
    status: "pending",
    attemptCount: 0,
    nextAttemptAt: expect.any(String),
    completedAt: null,
  };
  expect(body.data).toEqual({ ...before, ...pending });
  expect(await tenant.untilAttempts(deliveryId, 2, "delivered")).toMatchObject({
    attemptCount: 1,
    createdAt: before.createdAt,
    attempts: [1, 2].map((round) => ({ round, attempt: 1 })),
  });
  expect(await webhooks.auditEntries(tenant.tenantId, deliveryId)).toEqual([
    {
      action: "webhook_delivery.redelivered",
      actor: expect.objectContaining({ type: "user" }),
      data: { target: { type: "webhook_delivery", id: deliveryId }, changes: {} },
    },
  ]);
  expect(sent()).toEqual([
    [deliveryId, "1"],
    [deliveryId, "1"],
  ]);
});

test("a failed one removes its dead letter, and its log has all attempts", async () => {
  const { deliveryId } = await settled(500);
  expect(await dead()).toMatchObject([{ deliveryId }]);
  receiver.behave(() => 200);
  expect((await tenant.redeliver(deliveryId)).status).toBe(202);
  expect(await dead()).toEqual([]);
  expect((await tenant.untilAttempts(deliveryId, 3, "delivered")).attempts).toMatchObject([
    ...[1, 2].map((attempt) => ({ attempt, outcome: "http_status" })),
    { attempt: 1, outcome: "delivered" },
  ]);
  expect(await dead()).toEqual([]);
});

test("makes it paused if its subscription is paused, and it is sent after a resume", async () => {
  const { subscriptionId, deliveryId } = await settled(200);
  await tenant.setActive(subscriptionId, false);
  const { status, body } = await tenant.redeliver(deliveryId);
  expect(status).toBe(202);
  expect(body.data).toMatchObject({ status: "paused", attemptCount: 0, nextAttemptAt: null });
  // A second redelivery changes nothing.
  expect((await tenant.redeliver(deliveryId)).body.data).toEqual(body.data);
  expect(sent()).toHaveLength(1);
  await tenant.setActive(subscriptionId, true);
  await tenant.untilAttempts(deliveryId, 2, "delivered");
  expect(sent()).toHaveLength(2);
});

test("is a conflict after its subscription was deleted, for cancelled and for delivered deliveries", async () => {
  const arrived = await settled(200);
  await tenant.setActive(arrived.subscriptionId, false);
  await tenant.emit();
  const cancelled = await tenant.untilDelivery(arrived.subscriptionId, "paused");
  await tenant.unsubscribe(arrived.subscriptionId);
  for (const [id, status] of [
    [arrived.deliveryId, "delivered"],
    [cancelled.id, "cancelled"],
  ]) {
    const refusal = await tenant.redeliver(id);
    expect([refusal.status, refusal.body.error.code]).toEqual([409, "conflict"]);
    expect(await tenant.delivery(id)).toMatchObject({ status });
    expect(await webhooks.auditEntries(tenant.tenantId, id)).toEqual([]);
  }
});
