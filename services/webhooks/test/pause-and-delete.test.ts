// Pauses, resumes and deletes a subscription in every state of its deliveries: nothing is sent that must not be sent,
// nothing is lost, and the log remains.
import { until } from "@tradepost/testing";
import { resumeDeliveries, suspendDeliveries } from "../src/operate.ts";
import { insertBacklog } from "./support/backlog.ts";
import { startAttempt, useWebhooks } from "./support/use-webhooks.ts";

const RETRY_QUEUE = "webhooks.retry.1h";
const DELIVERIES_QUEUE = "webhooks.deliveries";

const { webhooks, receiver, tenant } = useWebhooks({
  WEBHOOKS_RETRY_SCHEDULE: "1h,1h",
  WEBHOOKS_CONCURRENCY: "1",
});

beforeEach(async () => {
  await webhooks.purge(RETRY_QUEUE);
});

const failOnce = async () => {
  receiver.behave(() => 500);
  const failed = await tenant.deliver("/hook", "retrying");
  await webhooks.untilReady(RETRY_QUEUE, 1);
  receiver.behave(() => 200);
  return failed;
};

const publishJob = (deliveryId: string, attempt: number) => {
  const job = { delivery_id: deliveryId, tenant_id: tenant.tenantId, generation: 1, attempt };
  return webhooks.publish("", DELIVERIES_QUEUE, JSON.stringify(job));
};

/** Does what the retry queue does when the wait is over. */
const publishDueJob = async (deliveryId: string, attempt: number) => {
  await publishJob(deliveryId, attempt);
  // The service makes one attempt at a time, so a later attempt waits for this one.
  await webhooks.tenant().deliver("/control");
};

const requestsToHook = () => receiver.at("/hook").length;

test("pausing a delivery that waits for a retry makes it paused, and its message sends nothing", async () => {
  const { id, deliveryId } = await failOnce();
  expect((await tenant.setActive(id, false)).body.data.health.waiting).toBe(0);
  const paused = await tenant.delivery(deliveryId);
  expect(paused).toMatchObject({ status: "paused", attemptCount: 1, nextAttemptAt: null });
  await publishDueJob(deliveryId, 2);
  expect(await tenant.delivery(deliveryId)).toEqual(paused);
  expect(requestsToHook()).toBe(1);
  await tenant.setActive(id, true);
  expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({ attemptCount: 2 });
  expect(requestsToHook()).toBe(2);
});

test("resuming sends the waiting deliveries once each, oldest first", async () => {
  const { id } = await tenant.subscribe("/hook");
  await tenant.setActive(id, false);
  const rounds = Array.from({ length: 10 }, (_, index) => index + 1);
  for (const round of rounds) {
    // The four deliveries of a round have no order.
    await Promise.all([1, 2, 3, 4].map((number) => tenant.emit({ round, number })));
    await tenant.untilDeliveries(id, round * 4);
  }
  expect(requestsToHook()).toBe(0);
  await tenant.setActive(id, true);
  await until("all requests", () => requestsToHook() === 40);
  const sent = receiver.bodies().map(({ data }) => data.redirect.round);
  expect(sent).toEqual(rounds.flatMap((round) => [round, round, round, round]));
  expect(new Set(receiver.sent("x-service-delivery")).size).toBe(40);
});

test("a subscription that is made or activated while its tenant is suspended waits until the tenant is resumed", async () => {
  const before = await tenant.subscribe("/hook");
  await tenant.setActive(before.id, false);
  await suspendDeliveries(webhooks.db, tenant.tenantId);
  // As requests that passed the gateway before.
  const { id } = await tenant.subscribe("/hook");
  await tenant.setActive(before.id, true);
  await tenant.emit();
  for (const one of [id, before.id]) await tenant.untilDelivery(one, "paused");
  expect(requestsToHook()).toBe(0);
  await resumeDeliveries(webhooks.db, tenant.tenantId);
  for (const one of [id, before.id]) await tenant.untilDelivery(one, "delivered");
  expect(requestsToHook()).toBe(2);
  expect(await tenant.subscription(id)).toMatchObject({ active: true, version: 1 });
});

test("an attempt that is in progress at a pause and fails is not retried before the subscription is resumed", async () => {
  const { id, deliveryId, respond } = await startAttempt({ receiver, tenant });
  await tenant.setActive(id, false);
  respond(500);
  const settled = { status: "paused", attemptCount: 1, nextAttemptAt: null };
  expect(await tenant.untilAttempts(deliveryId, 1)).toMatchObject(settled);
  expect(await webhooks.ready(RETRY_QUEUE)).toBe(0);
  await tenant.setActive(id, true);
  expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({ attemptCount: 2 });
  expect(requestsToHook()).toBe(2);
});

test("a pause and a resume do not repeat an attempt that is in progress", async () => {
  const { id, deliveryId, respond } = await startAttempt({ receiver, tenant });
  await tenant.setActive(id, false);
  await tenant.setActive(id, true);
  await publishJob(deliveryId, 1);
  respond(200);
  await tenant.untilDelivery(id, "delivered");
  await webhooks.untilReady(DELIVERIES_QUEUE, 0);
  await publishDueJob(deliveryId, 1);
  expect(requestsToHook()).toBe(1);
});

// The oldest delivery of the backlog is locked: the reconciliation waits until it is released.
const withBacklogHeld = async (id: string, work: () => Promise<void>) => {
  const { oldest } = await insertBacklog(webhooks.pool, tenant, id, 10, "delayed");
  const lock = "select from deliveries where tenant_id = $1 and id = $2 for update";
  await using holder = await webhooks.begin(lock, tenant.tenantId, oldest);
  await work();
  await holder.commit();
  await webhooks.untilReconciled();
};

test.each([
  ["paused", 200, "before", "delivered"],
  ["paused", 500, "before", "paused"],
  ["deleted", 200, "before", "delivered"],
  ["deleted", 500, "before", "cancelled"],
  ["deleted", 200, "after", "delivered"],
  ["deleted", 500, "after", "cancelled"],
] as const)(
  "an attempt that is in progress when its subscription is %s and ends with %i %s the reconciliation becomes %s",
  async (change, status, when, end) => {
    const { id, deliveryId, respond } = await startAttempt({ receiver, tenant });
    const changeAndEnd = async () => {
      await (change === "paused" ? tenant.setActive(id, false) : tenant.unsubscribe(id));
      if (when === "after") await webhooks.untilReconciled();
      respond(status);
      const settled = { status: end, attemptCount: 1, attempts: [{ attempt: 1, statusCode: status }] };
      expect(await tenant.untilAttempts(deliveryId, 1)).toMatchObject(settled);
      const both =
        "select status from deliveries where id = $1 union all select status from delivery_log where id = $1";
      expect(await webhooks.query(both, deliveryId)).toEqual([{ status: end }]);
      await publishDueJob(deliveryId, 2);
    };
    await (when === "before" ? withBacklogHeld(id, changeAndEnd) : changeAndEnd());
    expect(await webhooks.ready(RETRY_QUEUE)).toBe(0);
    expect(await tenant.delivery(deliveryId)).toMatchObject({ status: end });
    expect(requestsToHook()).toBe(1);
  },
);

test("a message of a paused subscription sends nothing before the reconciliation, and a resume sends its delivery at once", async () => {
  const { id, deliveryId } = await failOnce();
  const queued = "queue_state = 'queued', next_attempt_at = now(), enqueued_at = now()";
  await webhooks.set("deliveries", deliveryId, queued);
  await withBacklogHeld(id, async () => {
    await tenant.setActive(id, false);
    await publishDueJob(deliveryId, 2);
    expect(requestsToHook()).toBe(1);
    const text = "select status, queue_state from deliveries where id = $1";
    const rows = await webhooks.query(text, deliveryId);
    expect(rows).toEqual([{ status: "retrying", queue_state: "waiting" }]);
    expect((await tenant.setActive(id, true)).status).toBe(200);
  });
  await until("its request", () => requestsToHook() === 2);
});

test("a delivery that is created during a resume waits for the older ones", async () => {
  const { id } = await tenant.subscribe("/hook");
  await tenant.setActive(id, false);
  await tenant.emit({ number: 1 });
  await tenant.untilDelivery(id, "paused");
  await withBacklogHeld(id, async () => {
    await tenant.setActive(id, true);
    await tenant.emit({ number: 2 });
    // This delivery is fanned out after the tenant's event and sent after everything that was admitted.
    await webhooks.tenant().deliver("/control");
    expect(requestsToHook()).toBe(0);
  });
  await until("both requests", () => requestsToHook() === 2);
  const sent = receiver.at("/hook");
  expect(sent.map(({ body }) => JSON.parse(body.toString()).data.redirect.number)).toEqual([1, 2]);
});

test("deleting cancels waiting deliveries for good, and the log remains readable", async () => {
  const { id, deliveryId } = await failOnce();
  expect((await tenant.unsubscribe(id)).body.data).toEqual({ id, deleted: true });
  expect((await tenant.owner().get(`/v1/webhooks/subscriptions/${id}`)).status).toBe(404);
  await publishDueJob(deliveryId, 2);
  expect(await tenant.delivery(deliveryId)).toMatchObject({
    status: "cancelled",
    attemptCount: 1,
    nextAttemptAt: null,
    completedAt: expect.any(String),
    attempts: [{ attempt: 1, outcome: "http_status", statusCode: 500 }],
  });
  expect(await tenant.deliveries(id)).toHaveLength(1);
  expect(requestsToHook()).toBe(1);
});
