// Sends deliveries and retries them until an attempt succeeds; no attempt is made twice.
import { randomUUID } from "node:crypto";
import { until } from "@tradepost/testing";
import { startAttempt, useWebhooks } from "./support/use-webhooks.ts";

const DELIVERIES_QUEUE = "webhooks.deliveries";

const WAITS_MS = [100, 150, 100];

const { webhooks, receiver, tenant } = useWebhooks({
  WEBHOOKS_RETRY_SCHEDULE: WAITS_MS.map((ms) => `${ms}ms`).join(","),
});

const jobText = (deliveryId: string, attempt: number) =>
  JSON.stringify({ delivery_id: deliveryId, tenant_id: tenant.tenantId, generation: 1, attempt });

test("retries until an attempt succeeds, with one delivery id and ascending attempts", async () => {
  receiver.behave(() => (receiver.received.length < 3 ? 503 : 202));
  const { id } = await tenant.subscribe("/third");
  const eventId = await tenant.emit({ note: "hello" });
  const delivery = await tenant.untilDelivery(id, "delivered");
  expect(delivery).toMatchObject({
    eventId,
    attemptCount: 3,
    nextAttemptAt: null,
    completedAt: expect.any(String),
    attempts: [
      { attempt: 1, outcome: "http_status", statusCode: 503, responseBody: "answered 503" },
      { attempt: 2, outcome: "http_status", statusCode: 503, responseBody: "answered 503" },
      { attempt: 3, outcome: "delivered", statusCode: 202, responseBody: "answered 202" },
    ],
  });
  expect(receiver.sent("x-service-attempt")).toEqual(["1", "2", "3"]);
  const rows = await webhooks.query("select occurred_at from events where id = $1", eventId);
  for (const { headers } of receiver.received)
    expect(headers).toMatchObject({
      "x-service-delivery": delivery.id,
      "webhook-id": delivery.id,
      "x-service-event-id": eventId,
      "x-service-event-time": rows[0].occurred_at.toISOString(),
    });
  expect(new Set(receiver.sent("x-service-signature")).size).toBe(3);
  const bodies = receiver.bodies();
  expect(new Set(bodies.map(({ delivered_at }) => delivered_at)).size).toBe(3);
  const same = { id: delivery.id, type: "redirect.added", tenant_id: tenant.tenantId };
  expect(bodies).toEqual(
    delivery.attempts.map(({ at }: { at: string }) => ({
      ...same,
      data: { redirect: { note: "hello" } },
      delivered_at: at,
    })),
  );
});

test("a delivery fails after the last attempt of the schedule and is in webhooks.dead", async () => {
  receiver.behave(() => 500);
  const { delivery } = await tenant.deliver("/never", "failed");
  expect(delivery).toMatchObject({ attemptCount: 4, nextAttemptAt: null, completedAt: expect.any(String) });
  expect(receiver.sent("x-service-attempt")).toEqual(["1", "2", "3", "4"]);
  await webhooks.untilReady("webhooks.dead", 1);
  // No retry starts before its wait is over, and none waits for the sweep, which comes half a minute later.
  const rows = await webhooks.query(
    `select attempt, (extract(epoch from at - (lag(at) over made)) * 1000)::float
                     - lag(duration_ms) over made - ($2::int[])[attempt - 1] as "lateMs"
       from attempts where delivery_id = $1
     window made as (order by attempt)`,
    delivery.id,
    WAITS_MS,
  );
  expect(rows.slice(1).filter(({ lateMs }) => lateMs < 0)).toEqual([]);
  // A late copy of an attempt's message changes nothing.
  for (const attempt of [1, 4, 5])
    await webhooks.publish("", DELIVERIES_QUEUE, jobText(delivery.id, attempt));
  await webhooks.untilReady(DELIVERIES_QUEUE, 0);
  const control = await tenant.subscribe("/control");
  await tenant.emit();
  await tenant.untilDeliveries(control.id, 1);
  expect(receiver.sent("x-service-delivery").filter((one) => one === delivery.id)).toHaveLength(4);
});

test("a delivery whose message arrives three times at once is sent once", async () => {
  const { id, delivery: delivered } = await tenant.deliver("/once");
  // Many, so that a race would show.
  const deliveryIds = await webhooks.copyDelivery(delivered.id, 50, { lockedFor: null });
  await Promise.all(
    deliveryIds.flatMap((one) =>
      [1, 2, 3].map(() => webhooks.publish("", DELIVERIES_QUEUE, jobText(one, 1))),
    ),
  );
  await tenant.untilAll(id, "delivered");
  await webhooks.untilReady(DELIVERIES_QUEUE, 0);
  const sent = receiver.sent("x-service-delivery");
  expect(sent.filter((one) => deliveryIds.includes(String(one))).sort()).toEqual([...deliveryIds].sort());
});

test("a second message of a delivery sends nothing while an attempt is in progress", async () => {
  const { id, deliveryId, respond } = await startAttempt({ receiver, tenant });
  await webhooks.publish("", DELIVERIES_QUEUE, jobText(deliveryId, 1));
  // This event arrives after the second message and passes through the same queues.
  await webhooks.tenant().deliver("/control");
  respond(200);
  await tenant.untilDelivery(id, "delivered");
  expect(receiver.at("/hook")).toHaveLength(1);
});

test("an invalid job goes to webhooks.poison, and one of an unknown delivery is acknowledged", async () => {
  const invalid = ["gibberish", "{}", jobText("no-uuid", 1), jobText(randomUUID(), 0)];
  for (const text of [jobText(randomUUID(), 1), ...invalid])
    await webhooks.publish("", DELIVERIES_QUEUE, text);
  await webhooks.untilReady("webhooks.poison", 4);
  await webhooks.untilReady(DELIVERIES_QUEUE, 0);
  expect(await webhooks.ready("webhooks.poison")).toBe(4);
});

// First attempts start in the process that fans out: without a message, and without waiting for locks.
describe("a first attempt", () => {
  const healthy = async (path: string) => {
    const { id } = await tenant.deliver(path);
    return id;
  };

  test("has no message in webhooks.deliveries, and a retry has one", async () => {
    const id = await healthy("/direct");
    const jobs = await webhooks.captureJobs();
    await Promise.all(Array.from({ length: 50 }, (_, number) => tenant.emit({ number })));
    await tenant.untilAll(id, "delivered", 51);
    expect(jobs()).toEqual([]);
    receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
    await tenant.emit();
    await until("the retry's message", () => jobs().length === 1);
    expect(jobs()[0]).toMatchObject({ attempt: 2 });
    await tenant.untilAll(id, "delivered", 52);
  });

  test("of a healthy endpoint is settled while another transaction holds the subscription as fan-out does", async () => {
    const id = await healthy("/fan-out-holds");
    await using _ = await webhooks.begin("select from subscriptions where id = $1 for share", id);
    await tenant.emit();
    await tenant.untilAll(id, "delivered", 2);
  });

  test("starts while other deliveries of its endpoint are being settled", async () => {
    const id = await healthy("/settle-holds");
    const respond = receiver.hold();
    await tenant.emit();
    await until("the attempt in progress", () => receiver.received.length === 2);
    const first = (await tenant.deliveries(id)).find(({ status }) => status === "pending");
    receiver.behave(() => 200);
    await using holder = await webhooks.begin("select from deliveries where id = $1 for update", first.id);
    respond(200);
    await tenant.emit();
    await until("the other", async () => {
      const found = await tenant.statuses(id);
      return found.length === 3 && found.filter((status) => status === "delivered").length === 2;
    });
    await holder.commit();
    await tenant.untilAll(id, "delivered");
  });

  test("resets the failures of its endpoint if it succeeds", async () => {
    const id = await healthy("/resets");
    const failures = async () => (await tenant.health(id)).consecutiveFailures;
    for (let round = 0; round < 3; round += 1) {
      receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
      await tenant.emit({ round });
      await until("one failure", async () => (await failures()) === 1);
      await tenant.untilAll(id, "delivered");
      expect(await failures()).toBe(0);
    }
  });
});

// A success is noted in the subscription every 10 seconds, when its delivery is settled.
describe("a success at a healthy endpoint", () => {
  /** The latest success of the endpoint was an hour ago, and an attempt is in progress. */
  const attemptAfterAnHour = async () => {
    const { id } = await tenant.deliver("/hook");
    await webhooks.set("subscriptions", id, "last_success_at = last_success_at - interval '1 hour'");
    const respond = receiver.hold();
    receiver.received.length = 0;
    await tenant.emit();
    await receiver.waitFor("the request", ({ path }) => path === "/hook");
    return { id, succeed: () => respond(200) };
  };
  const isNoted = async (id: string) => {
    const { lastSuccessAt } = await tenant.health(id);
    return Date.now() - Date.parse(lastSuccessAt) < 30 * 60_000;
  };

  test("is noted if the latest one is older", async () => {
    const { id, succeed } = await attemptAfterAnHour();
    succeed();
    await tenant.untilAll(id, "delivered", 2);
    expect(await isNoted(id)).toBe(true);
  });

  test("resets failures that another process has recorded during the attempt", async () => {
    const { id, succeed } = await attemptAfterAnHour();
    const failures = "consecutive_failures = 3, failing_since = now(), last_failure_at = now()";
    await webhooks.set("subscriptions", id, `${failures}, last_error = 'timeout'`);
    succeed();
    await until("its reset", async () => (await tenant.health(id)).consecutiveFailures === 0);
    expect(await isNoted(id)).toBe(true);
    await tenant.untilAll(id, "delivered", 2);
    const rows = await webhooks.query("select failing_since from subscriptions where id = $1", id);
    expect(rows).toEqual([{ failing_since: null }]);
  });

  test("waits for a change of its subscription, and is noted after it", async () => {
    const { id, succeed } = await attemptAfterAnHour();
    const rename = "update subscriptions set name = 'Renamed' where id = $1";
    await using holder = await webhooks.begin(rename, id);
    succeed();
    await webhooks.untilLocked();
    await holder.commit();
    await tenant.untilAll(id, "delivered", 2);
    await until("its note", () => isNoted(id));
  });
});
