// Sends deliveries and retries them until an attempt succeeds; no attempt is made twice.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const DELIVERIES_QUEUE = "webhooks.deliveries";

const WAITS_MS = [100, 150, 100];

const { webhooks, receiver, tenant } = useWebhooks({
  WEBHOOKS_RETRY_SCHEDULE: WAITS_MS.map((ms) => `${ms}ms`).join(","),
});

describe("dispatch", () => {
  const jobText = (deliveryId: string, attempt: number, generation = 1) =>
    JSON.stringify({ delivery_id: deliveryId, tenant_id: tenant.tenantId, generation, attempt });

  test("retries until an attempt succeeds, with one delivery id and ascending attempts", async () => {
    receiver.behave(() => (receiver.received.length < 3 ? 503 : 202));
    const { id } = await tenant.subscribe(`${receiver.url}/third`);
    const eventId = await webhooks.emit(tenant.tenantId, { note: "hello" });
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
    const header = (name: string) => receiver.received.map(({ headers }) => headers[name]);
    expect(header("x-service-attempt")).toEqual(["1", "2", "3"]);
    expect(header("x-service-delivery")).toEqual([delivery.id, delivery.id, delivery.id]);
    expect(header("webhook-id")).toEqual([delivery.id, delivery.id, delivery.id]);
    expect(header("x-service-event-id")).toEqual([eventId, eventId, eventId]);
    const rows = await webhooks.query("select occurred_at from events where id = $1", eventId);
    const time = rows[0].occurred_at.toISOString();
    expect(header("x-service-event-time")).toEqual([time, time, time]);
    expect(new Set(header("x-service-signature")).size).toBe(3);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body.toString()));
    expect(new Set(bodies.map(({ delivered_at }) => delivered_at)).size).toBe(3);
    const same = { id: delivery.id, type: "redirect.added", tenant_id: tenant.tenantId };
    for (const body of bodies) {
      expect(body).toEqual({
        ...same,
        data: { redirect: { note: "hello" } },
        delivered_at: body.delivered_at,
      });
    }
    const times = delivery.attempts.map(({ at }: { at: string }) => at);
    expect(bodies.map(({ delivered_at }) => delivered_at)).toEqual(times);
  });

  test("a delivery fails after the last attempt of the schedule and is in webhooks.dead", async () => {
    receiver.behave(() => 500);
    const { id } = await tenant.subscribe(`${receiver.url}/never`);
    await webhooks.emit(tenant.tenantId);
    const delivery = await tenant.untilDelivery(id, "failed");
    expect(delivery).toMatchObject({ attemptCount: 4, nextAttemptAt: null, completedAt: expect.any(String) });
    expect(receiver.received.map(({ headers }) => headers["x-service-attempt"])).toEqual([
      "1",
      "2",
      "3",
      "4",
    ]);
    await until("the dead letter", async () => (await webhooks.ready("webhooks.dead")) === 1);
    // No retry starts before its wait is over, and none waits for the sweep, which comes half a minute later.
    const rows = await webhooks.query(
      `select attempt, (extract(epoch from at - (lag(at) over made)) * 1000)::float
                       - lag(duration_ms) over made - ($2::int[])[attempt - 1] as "lateMs"
         from attempts where delivery_id = $1
       window made as (order by attempt)`,
      delivery.id,
      WAITS_MS,
    );
    const [, ...retries] = rows;
    expect(retries.filter(({ lateMs }) => lateMs < 0)).toEqual([]);
    // A late copy of an attempt's message changes nothing.
    for (const attempt of [1, 4, 5])
      await webhooks.publish("", DELIVERIES_QUEUE, jobText(delivery.id, attempt));
    await until("an empty queue", async () => (await webhooks.ready(DELIVERIES_QUEUE)) === 0);
    const control = await tenant.subscribe(`${receiver.url}/control`);
    await webhooks.emit(tenant.tenantId);
    await until("the control", async () => (await tenant.deliveries(control.id)).length === 1);
    expect(
      receiver.received.filter(({ headers }) => headers["x-service-delivery"] === delivery.id).length,
    ).toBe(4);
  });

  test("a delivery whose message arrives three times at once is sent once", async () => {
    const { id } = await tenant.subscribe(`${receiver.url}/once`);
    await webhooks.emit(tenant.tenantId);
    const delivered = await tenant.untilDelivery(id, "delivered");
    // Many, so that a race would show.
    const deliveryIds = await webhooks.copyDelivery(delivered.id, 50, { lockedFor: null });
    await Promise.all(
      deliveryIds.flatMap((one) =>
        [1, 2, 3].map(() => webhooks.publish("", DELIVERIES_QUEUE, jobText(one, 1))),
      ),
    );
    await tenant.untilAll(id, "delivered");
    await until("an empty queue", async () => (await webhooks.ready(DELIVERIES_QUEUE)) === 0);
    const sent = receiver.received.map(({ headers }) => headers["x-service-delivery"]);
    expect(sent.filter((one) => deliveryIds.includes(String(one))).sort()).toEqual([...deliveryIds].sort());
  });

  test("a second message of a delivery sends nothing while an attempt is in progress", async () => {
    const gate = Promise.withResolvers<number>();
    receiver.behave(({ path }) =>
      path === "/slow" ? (res) => void gate.promise.then((status) => res.writeHead(status).end()) : 200,
    );
    const { id } = await tenant.subscribe(`${receiver.url}/slow`);
    await webhooks.emit(tenant.tenantId);
    await receiver.waitFor("the request", ({ path }) => path === "/slow");
    const [{ id: deliveryId }] = (await tenant.deliveries(id)) as [{ id: string }];
    await webhooks.publish("", DELIVERIES_QUEUE, jobText(deliveryId, 1));
    // This event arrives after the second message and passes through the same queues.
    const otherTenant = webhooks.tenant();
    const control = await otherTenant.subscribe(`${receiver.url}/control`);
    await webhooks.emit(otherTenant.tenantId);
    await otherTenant.untilDelivery(control.id, "delivered");
    gate.resolve(200);
    await tenant.untilDelivery(id, "delivered");
    expect(receiver.received.filter(({ path }) => path === "/slow")).toHaveLength(1);
  });

  test("an invalid job goes to webhooks.poison", async () => {
    for (const text of ["gibberish", "{}", jobText("no-uuid", 1), jobText(randomUUID(), 0)]) {
      await webhooks.publish("", DELIVERIES_QUEUE, text);
    }
    await until("the poison queue", async () => (await webhooks.ready("webhooks.poison")) === 4);
  });

  test("a job of an unknown delivery is acknowledged", async () => {
    await webhooks.publish("", DELIVERIES_QUEUE, jobText(randomUUID(), 1));
    await until("an empty queue", async () => (await webhooks.ready(DELIVERIES_QUEUE)) === 0);
    expect(await webhooks.ready("webhooks.poison")).toBe(4);
  });
});

// First attempts start in the process that fans out: without a message, and without waiting for locks.
describe("a first attempt", () => {
  /** A subscription whose health is recorded as good. */
  const healthy = async (path: string) => {
    const { id } = await tenant.subscribe(receiver.url + path);
    await webhooks.emit(tenant.tenantId);
    await tenant.untilDelivery(id, "delivered");
    return id;
  };

  const holding = async (lock: string, id: string, work: () => Promise<unknown>) => {
    await using _ = await webhooks.begin(lock, [id]);
    await work();
  };

  test("has no message in webhooks.deliveries, and a retry has one", async () => {
    const id = await healthy("/direct");
    const jobs = await webhooks.captureJobs();
    await Promise.all(Array.from({ length: 50 }, (_, number) => webhooks.emit(tenant.tenantId, { number })));
    await tenant.untilAll(id, "delivered", 51);
    expect(jobs).toEqual([]);
    receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
    await webhooks.emit(tenant.tenantId);
    await until("the retry's message", () => jobs.length === 1);
    expect(jobs[0]).toMatchObject({ attempt: 2 });
    await tenant.untilAll(id, "delivered", 52);
  });

  test("of a healthy endpoint is settled while another transaction holds the subscription as fan-out does", async () => {
    const id = await healthy("/fan-out-holds");
    const lock = "select from subscriptions where id = $1 for share";
    await holding(lock, id, async () => {
      await webhooks.emit(tenant.tenantId);
      await tenant.untilAll(id, "delivered", 2);
    });
  });

  test("starts while other deliveries of its endpoint are being settled", async () => {
    const id = await healthy("/settle-holds");
    const gate = Promise.withResolvers<void>();
    let isRequested = false;
    receiver.behave(() => (res) => {
      isRequested = true;
      void gate.promise.then(() => res.writeHead(200).end());
    });
    await webhooks.emit(tenant.tenantId);
    await until("the attempt in progress", () => isRequested);
    const [first] = (await tenant.deliveries(id)).filter(
      ({ status }: { status: string }) => status === "pending",
    );
    receiver.behave(() => 200);
    const lock = "select from deliveries where id = $1 for update";
    await holding(lock, first.id, async () => {
      gate.resolve();
      await webhooks.emit(tenant.tenantId);
      await until("the other", async () => {
        const found = await tenant.statuses(id);
        return found.length === 3 && found.filter((status) => status === "delivered").length === 2;
      });
    });
    await tenant.untilAll(id, "delivered");
  });

  test("resets the failures of its endpoint if it succeeds", async () => {
    const id = await healthy("/resets");
    const failures = async () => (await tenant.subscription(id)).health.consecutiveFailures;
    for (let round = 0; round < 3; round += 1) {
      receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
      await webhooks.emit(tenant.tenantId, { round });
      await until("one failure", async () => (await failures()) === 1);
      await tenant.untilAll(id, "delivered");
      expect(await failures()).toBe(0);
    }
  });
});
