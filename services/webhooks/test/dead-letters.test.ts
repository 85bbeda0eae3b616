// The operator's commands for dead letters: list, show, redrive, purge, and tidy their queue.
import { randomUUID } from "node:crypto";
import { until } from "@tradepost/testing";
import { deadLetters } from "../src/operate.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const DEAD_QUEUE = "webhooks.dead";

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

beforeEach(async () => {
  await deadLetters.purge(webhooks.db, {});
  await tidy();
});

const tidy = () => deadLetters.tidyQueue(webhooks.db, webhooks.broker.amqpUrl);
const list = (filter: Parameters<typeof deadLetters.list>[1] = {}) => deadLetters.list(webhooks.db, filter);
const redrive = (filter: Parameters<typeof deadLetters.list>[1]) => deadLetters.redrive(webhooks.db, filter);
const untilInQueue = (count: number) => webhooks.untilReady(DEAD_QUEUE, count);

/** Creates a dead letter and returns its subscription and delivery. The receiver responds with `response`. */
const fail = async (response: number | "reset" = 500, forTenant = tenant) => {
  receiver.behave(() => response);
  const countBefore = await webhooks.ready(DEAD_QUEUE);
  // Only this subscription matches the event.
  const { id, deliveryId } = await forTenant.deliver(`/${randomUUID()}`, "failed", {
    type: "media.uploaded",
  });
  await untilInQueue(countBefore + 1);
  await forTenant.change(id, { events: ["redirect.added"] });
  receiver.behave(() => 200);
  return { subscription: id, delivery: deliveryId };
};

test("are listed oldest first, and can be filtered", async () => {
  const otherTenant = webhooks.tenant();
  const first = await fail(500);
  const second = await fail(503);
  const third = await fail("reset", otherTenant);
  const ids = async (filter = {}) => (await list(filter)).map(({ deliveryId }) => deliveryId);
  expect(await list()).toEqual([
    {
      deliveryId: first.delivery,
      tenantId: tenant.tenantId,
      subscriptionId: first.subscription,
      type: "media.uploaded",
      failedAt: expect.any(Date),
      reason: "http_status 500",
    },
    expect.objectContaining({ deliveryId: second.delivery, reason: "http_status 503" }),
    expect.objectContaining({ deliveryId: third.delivery, reason: "connection_reset" }),
  ]);
  const [, { failedAt } = { failedAt: new Date() }] = await list();
  const found: [filter: object, letters: (typeof first)[]][] = [
    [{ tenant: otherTenant.tenantId }, [third]],
    [{ subscription: second.subscription }, [second]],
    [{ delivery: first.delivery }, [first]],
    [{ since: failedAt }, [second, third]],
    [{ reason: "http_status" }, [first, second]],
    [{ reason: "http_status 50" }, []],
    [{ reason: "http_status 503" }, [second]],
    [{ tenant: tenant.tenantId, reason: "connection_reset" }, []],
    [{ delivery: randomUUID() }, []],
  ];
  for (const [filter, letters] of found)
    expect([filter, await ids(filter)]).toEqual([filter, letters.map(({ delivery }) => delivery)]);
  // Listing changes nothing.
  expect(await webhooks.ready(DEAD_QUEUE)).toBe(3);
  expect(await ids()).toEqual([first.delivery, second.delivery, third.delivery]);
});

test("are redriven with a new set of attempts and the same delivery id, and leave the queue", async () => {
  const wanted = await fail();
  const other = await fail(503);
  receiver.received.length = 0;
  expect(await redrive({ reason: "http_status 500" })).toEqual({ matched: 1, redriven: 1 });
  expect(await redrive({ reason: "http_status 500" })).toEqual({ matched: 0, redriven: 0 });
  const delivery = await tenant.untilDelivery(wanted.subscription, "delivered");
  expect(delivery).toMatchObject({ id: wanted.delivery, attemptCount: 1 });
  expect(delivery.attempts).toMatchObject([
    { attempt: 1, outcome: "http_status" },
    { attempt: 2, outcome: "http_status" },
    { attempt: 1, outcome: "delivered" },
  ]);
  expect([receiver.sent("x-service-delivery"), receiver.sent("x-service-attempt")]).toEqual([
    [wanted.delivery],
    ["1"],
  ]);
  expect(await tidy()).toBe(1);
  await untilInQueue(1);
  expect(await list()).toMatchObject([{ deliveryId: other.delivery }]);
});

test("that fail again are dead letters of a new generation, and are shown with every attempt", async () => {
  const { subscription, delivery } = await fail(502);
  receiver.behave(() => 502);
  await redrive({ delivery });
  await untilInQueue(2);
  expect(await tenant.untilDelivery(subscription, "failed")).toMatchObject({ attemptCount: 2 });
  const ended = { outcome: "http_status", statusCode: 502, responseBody: "answered 502" };
  expect(await deadLetters.find(webhooks.db, delivery)).toMatchObject({
    deliveryId: delivery,
    reason: "http_status 502",
    attempts: [1, 2].flatMap((generation) => [1, 2].map((attempt) => ({ generation, attempt, ...ended }))),
  });
  expect(await deadLetters.find(webhooks.db, randomUUID())).toBeNull();
  // Only the message of the second generation is still needed.
  expect(await tidy()).toBe(1);
  expect(await tidy()).toBe(0);
  await untilInQueue(1);
});

test.each([
  ["paused", "update subscriptions set active = false where id = $1", { redriven: 1, status: "paused" }],
  ["deleted", "delete from subscriptions where id = $1", { redriven: 0, status: "failed" }],
])("of a subscription that is being %s are redriven after that change", async (_, statement, expected) => {
  const { subscription, delivery } = await fail();
  await using change = await webhooks.begin(statement, subscription);
  const redriving = redrive({ delivery });
  await webhooks.untilLocked();
  await change.commit();
  expect(await redriving).toEqual({ matched: 1, redriven: expected.redriven });
  expect(await tenant.delivery(delivery)).toMatchObject({ status: expected.status });
});

test("that are purged leave the list and the queue, and stay in the tenant's log as failed", async () => {
  const purged = await fail(500);
  const other = await fail(503);
  expect(await deadLetters.purge(webhooks.db, { delivery: purged.delivery })).toEqual({ purged: 1 });
  expect(await deadLetters.purge(webhooks.db, { delivery: purged.delivery })).toEqual({ purged: 0 });
  expect(await list()).toMatchObject([{ deliveryId: other.delivery }]);
  expect(await tidy()).toBe(1);
  await untilInQueue(1);
  expect(await tenant.delivery(purged.delivery)).toMatchObject({ status: "failed", attemptCount: 2 });
  expect(await redrive({ delivery: purged.delivery })).toEqual({ matched: 0, redriven: 0 });
});

/** Inserts letters with the same time of failure. */
const insertLetters = (subscription: string, count: number, failedAt = "now() - interval '1 minute'") =>
  webhooks.query(
    `with made as (
       insert into events (tenant_id, id, type, occurred_at, request_id, data)
       select $1, gen_random_uuid(), 'redirect.added', now(), 'r', '{"redirect":{}}' from generate_series(1, $3)
       returning id
     )
     insert into dead_letters (tenant_id, delivery_id, subscription_id, event_id, type, attempts, generation,
                               created_at, failed_at, reason, published_at)
     select $1, gen_random_uuid(), $2, id, 'redirect.added', 2, 1, now(), ${failedAt}, 'timeout', now()
       from made`,
    tenant.tenantId,
    subscription,
    count,
  );

test("are listed, redriven and purged page by page, each once", async () => {
  const deleted = randomUUID();
  await insertLetters(deleted, 2_500);
  const letters = await list({ subscription: deleted });
  expect(letters).toHaveLength(2_500);
  const ids = letters.map(({ deliveryId }) => deliveryId);
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(await deadLetters.count(webhooks.db, { subscription: deleted })).toBe(2_500);
  // The subscription does not exist.
  expect(await redrive({ subscription: deleted })).toEqual({ matched: 2_500, redriven: 0 });
  expect(await deadLetters.purge(webhooks.db, { subscription: deleted })).toEqual({ purged: 2_500 });
  expect(await list({ subscription: deleted })).toEqual([]);
});

test("that fail during a redrive are not redriven", async () => {
  const { subscription, delivery } = await fail();
  await tenant.setActive(subscription, false);
  await deadLetters.purge(webhooks.db, { delivery });
  await insertLetters(subscription, 150);
  const redriving = deadLetters.redrive(webhooks.db, { subscription }, 100);
  await until("the first batch", async () => (await list({ subscription })).length === 50);
  await insertLetters(subscription, 1, "now()");
  expect(await redriving).toEqual({ matched: 150, redriven: 150 });
  expect(await list({ subscription })).toHaveLength(1);
});

test("can be tidied repeatedly, and without a queue; unknown messages stay", async () => {
  const { delivery } = await fail();
  await webhooks.publish("", DEAD_QUEUE, "left by a colleague");
  expect(await tidy()).toBe(0);
  expect(await tidy()).toBe(0);
  await untilInQueue(2);
  await deadLetters.purge(webhooks.db, { delivery });
  expect(await tidy()).toBe(1);
  expect(await tidy()).toBe(0);
  await untilInQueue(1);
  await webhooks.deleteQueue(DEAD_QUEUE);
  expect(await tidy()).toBe(0);
});
