import { describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { deadLetters } from "../src/operate.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const DEAD_QUEUE = "webhooks.dead";

describe("redelivering", () => {
  const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

  const redeliver = (id: string, caller = tenant.owner()) =>
    caller.post(`/v1/webhooks/deliveries/${id}/redeliver`);
  const dead = () => deadLetters.list(webhooks.db, { tenant: tenant.tenantId });
  const untilDead = (count: number) =>
    until(`${count} dead letters`, async () => (await webhooks.ready(DEAD_QUEUE)) === count);
  const sent = () =>
    receiver.received.map(({ headers }) => [headers["x-service-delivery"], headers["x-service-attempt"]]);

  /** A subscription and its delivery that has ended: delivered after a 200, otherwise failed and a dead letter. */
  const settled = async (status: number) => {
    const deadBefore = await webhooks.ready(DEAD_QUEUE);
    receiver.behave(() => status);
    const { id: subscriptionId } = await tenant.subscribe(`${receiver.url}/hook`);
    await webhooks.emit(tenant.tenantId);
    const delivery = await tenant.untilDelivery(subscriptionId, status === 200 ? "delivered" : "failed");
    // The message is published after the status is stored, and a late one would disturb a test that counts messages.
    if (status !== 200) await untilDead(deadBefore + 1);
    return { subscriptionId, deliveryId: delivery.id as string, delivery };
  };
  const untilAttempts = (subscriptionId: string, status: string, count: number) =>
    until(`${count} attempts and ${status}`, async () => {
      const delivery = await tenant.untilDelivery(subscriptionId, status);
      return delivery.attempts.length === count && delivery;
    });

  test("a delivered one makes it pending, sends it again, and is in the audit log", async () => {
    const { subscriptionId, deliveryId, delivery } = await settled(200);
    const { status, body } = await redeliver(deliveryId);
    expect(status).toBe(202);
    const { attempts: _, request: __, outcome: ___, ...before } = delivery;
    expect(body.data).toEqual({
      ...before,
      status: "pending",
      attemptCount: 0,
      nextAttemptAt: expect.any(String),
      completedAt: null,
    });
    const after = await untilAttempts(subscriptionId, "delivered", 2);
    expect(after).toMatchObject({ id: deliveryId, attemptCount: 1, createdAt: before.createdAt });
    expect(after.attempts).toMatchObject([
      { round: 1, attempt: 1 },
      { round: 2, attempt: 1 },
    ]);
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
    const { subscriptionId, deliveryId } = await settled(500);
    expect(await dead()).toMatchObject([{ deliveryId }]);
    receiver.behave(() => 200);
    expect((await redeliver(deliveryId)).status).toBe(202);
    expect(await dead()).toEqual([]);
    const { attempts } = await untilAttempts(subscriptionId, "delivered", 3);
    expect(
      attempts.map(({ attempt, outcome }: { attempt: number; outcome: string }) => [attempt, outcome]),
    ).toEqual([
      [1, "http_status"],
      [2, "http_status"],
      [1, "delivered"],
    ]);
    expect(await dead()).toEqual([]);
  });

  test("makes it paused if its subscription is paused, and it is sent after a resume", async () => {
    const { subscriptionId, deliveryId } = await settled(200);
    await tenant.setActive(subscriptionId, false);
    const { status, body } = await redeliver(deliveryId);
    expect(status).toBe(202);
    expect(body.data).toMatchObject({ status: "paused", attemptCount: 0, nextAttemptAt: null });
    // A second redelivery changes nothing.
    expect((await redeliver(deliveryId)).body.data).toEqual(body.data);
    expect(sent()).toHaveLength(1);
    await tenant.setActive(subscriptionId, true);
    await untilAttempts(subscriptionId, "delivered", 2);
    expect(sent()).toHaveLength(2);
  });

  test("is a conflict after its subscription was deleted, for cancelled and for delivered deliveries", async () => {
    const arrived = await settled(200);
    await tenant.setActive(arrived.subscriptionId, false);
    await webhooks.emit(tenant.tenantId);
    const cancelled = await tenant.untilDelivery(arrived.subscriptionId, "paused");
    await tenant.unsubscribe(arrived.subscriptionId);
    for (const [id, status] of [
      [arrived.deliveryId, "delivered"],
      [cancelled.id, "cancelled"],
    ]) {
      const refusal = await redeliver(id);
      expect([refusal.status, refusal.body.error.code]).toEqual([409, "conflict"]);
      expect(await tenant.delivery(id)).toMatchObject({ status });
      expect(await webhooks.auditEntries(tenant.tenantId, id)).toEqual([]);
    }
  });
});
