// Leases the deliveries of a listener and reports the results of their attempts (interface §12).
import { randomUUID } from "node:crypto";
import { until } from "@tradepost/testing";
import { signatureHeaders } from "../src/endpoint/signature.ts";
import { deadLetters } from "../src/operate.ts";
import { listen, type TestListener } from "./support/listen.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf } from "./support/webhooks.ts";

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);

let listener: TestListener;

let replicaUrl: string;

const { webhooks, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1ms,1h" });
beforeAll(async () => {
  replicaUrl = (await webhooks.startReplica()).url;
});
beforeEach(async () => {
  listener = await listen(tenant);
});
const result = (statusCode: number, attempt = 1) => ({ attempt, statusCode, durationMs: 1 });

const leaseOne = async () => {
  const [leased] = await listener.lease({ limit: 1, waitSeconds: 25 });
  if (leased === undefined) throw new Error("nothing was leased");
  return leased;
};
const emitAndLease = async () => {
  await tenant.emit();
  return await leaseOne();
};

test("gets whole signed requests, and their results are in the log", async () => {
  const eventId = await tenant.emit({ note: "Größe 9.50" });
  const leased = await leaseOne();
  const at = JSON.parse(leased.body).delivered_at;
  expect(leased).toEqual({
    deliveryId: UUID,
    attempt: 1,
    leaseId: expect.any(String),
    leasedUntil: expect.any(String),
    headers: {
      "Content-Type": "application/json",
      "User-Agent": "Tradepost-Webhooks/1",
      "Accept-Encoding": "identity",
      "X-service-Event": "redirect.added",
      "X-service-Delivery": leased.deliveryId,
      "X-service-Attempt": "1",
      "X-service-Event-Id": eventId,
      "X-service-Event-Time": expect.any(String),
      ...signatureHeaders(listener.signingSecret, leased.deliveryId, new Date(at), Buffer.from(leased.body)),
    },
    body: expect.stringContaining('"note":"Größe 9.50"'),
  });
  expect((await listener.read()).waiting).toEqual({ pending: 0, retrying: 0, leased: 1, paused: 0 });
  const { status, body } = await listener.report(leased.deliveryId, {
    ...{ attempt: 1, statusCode: 204, durationMs: 12, responseBody: "thanks" },
  });
  expect([status, body.data]).toEqual([
    200,
    {
      ...{ id: leased.deliveryId, subscriptionId: listener.id, eventId, type: "redirect.added" },
      ...{ status: "delivered", attemptCount: 1, nextAttemptAt: null },
      ...{ createdAt: expect.any(String), completedAt: expect.any(String) },
    },
  ]);
  const { attempts, request } = await tenant.delivery(leased.deliveryId);
  expect(attempts).toEqual([
    {
      round: 1,
      attempt: 1,
      at,
      durationMs: 12,
      outcome: "delivered",
      statusCode: 204,
      responseBody: "thanks",
      ...{ address: null, isReusedConnection: false },
      phases: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    },
  ]);
  const { "X-service-Signature": _, "webhook-signature": __, ...headers } = leased.headers;
  expect(request).toEqual({ headers, body: leased.body });
});

test("leases a delivery once, whoever asks", async () => {
  const events = Array.from({ length: 30 }, () => tenant.emit());
  await Promise.all(events);
  await until("all deliveries", async () => (await listener.read()).waiting.pending === 30);
  const leases = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      listener.lease({ limit: 4 }, index % 2 === 0 ? undefined : replicaUrl),
    ),
  );
  const ids = leases.flat().map(({ deliveryId }) => deliveryId);
  expect([ids.length, new Set(ids).size]).toEqual([30, 30]);
  expect(await listener.lease()).toEqual([]);
});

test("is woken by events that another replica fans out, each of those that wait by another one", async () => {
  const leases = Array.from({ length: 4 }, () => listener.lease({ limit: 1, waitSeconds: 25 }, replicaUrl));
  const events = await tenant.emitMany(4);
  const leased = (await Promise.all(leases)).flat();
  expect(leased.map(({ headers }) => headers["X-service-Event-Id"]).sort()).toEqual(events.sort());
});

/** Reports three attempts that fail, as the service does when their times have come. */
const failForGood = async () => {
  await tenant.emit();
  const statuses: string[] = [];
  for (const attempt of [1, 2, 3]) {
    if (attempt === 3) {
      expect(await listener.lease()).toEqual([]);
      expect((await listener.read()).waiting.retrying).toBe(1);
      await webhooks.set("deliveries", listener.id, "next_attempt_at = now()");
    }
    const leased = await leaseOne();
    expect(leased.attempt).toBe(attempt);
    const { body } = await listener.report(
      leased.deliveryId,
      attempt === 1 ? { attempt, outcome: "connection_refused" } : result(302, attempt),
    );
    statuses.push(body.data.status);
  }
  return statuses;
};

test("gets each attempt when it is due, and not before, and the delivery fails for good after the last", async () => {
  expect(await failForGood()).toEqual(["retrying", "retrying", "failed"]);
  const { attempts } = await tenant.untilDelivery(listener.id, "failed");
  const responded = { outcome: "http_status", statusCode: 302 };
  expect(attempts).toMatchObject([
    { attempt: 1, outcome: "connection_refused", statusCode: null, responseBody: null },
    ...[responded, responded],
  ]);
  await webhooks.untilReady("webhooks.dead", 1);
});

test("a dead letter that an operator redrives can be leased again", async () => {
  await failForGood();
  const waiting = leaseOne();
  expect((await deadLetters.redrive(webhooks.db, { subscription: listener.id })).redriven).toBe(1);
  expect((await waiting).attempt).toBe(1);
});

test("the same result counts once, another one is a conflict", async () => {
  const { deliveryId } = await emitAndLease();
  const failed = { attempt: 1, statusCode: 500, durationMs: 5, responseBody: "no" };
  const reports = await Promise.all(Array.from({ length: 5 }, () => listener.report(deliveryId, failed)));
  expect(reports.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const again = await listener.report(deliveryId, failed);
  expect([again.status, again.body.data.attemptCount]).toEqual([200, 1]);
  expect((await tenant.delivery(deliveryId)).attempts.length).toBe(1);
  const other = await listener.report(deliveryId, result(200));
  expect([other.status, other.body.error.code, other.body.error.message]).toEqual([
    ...[409, "conflict", "Attempt 1 has ended already: http_status 500."],
  ]);
  const early = await listener.report(deliveryId, result(200, 3));
  expect([early.status, early.body.error.message]).toEqual([
    ...[409, "Attempt 3 is not the current one, which is 2."],
  ]);
  const unleased = await until("the retry", async () => {
    const { body, status } = await listener.report(deliveryId, result(200, 2));
    return status === 409 && body.error.message;
  });
  expect(unleased).toBe("Attempt 2 is not leased.");
});

test("of different results at once one counts, and the others are conflicts", async () => {
  const { deliveryId } = await emitAndLease();
  const path = `${listener.path}/deliveries/${deliveryId}/result`;
  const urls = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? undefined : replicaUrl));
  const reports = await Promise.all(
    urls.map((url, index) => tenant.owner(url).post(path, result(500 + index))),
  );
  expect(reports.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  const counted = reports.findIndex(({ status }) => status === 200);
  const delivery = await tenant.delivery(deliveryId);
  expect(delivery).toMatchObject({ attemptCount: 1, attempts: [{ statusCode: 500 + counted }] });
});

test("a result names every field at fault", async () => {
  const { deliveryId } = await emitAndLease();
  const faulty: [result: object, ...fields: string[]][] = [
    [{}, "attempt", "statusCode"],
    [{ attempt: 1, statusCode: 200 }, "durationMs"],
    [{ ...result(200), outcome: "timeout" }, "outcome"],
    [{ attempt: 1, outcome: "http_status" }, "outcome"],
    [{ attempt: 1, outcome: "delivered" }, "outcome"],
    [
      { attempt: 0, statusCode: 600, durationMs: -1, responseBody: 1, more: 1 },
      "attempt",
      "durationMs",
      "more",
      "responseBody",
      "statusCode",
    ],
  ];
  for (const [wrong, ...fields] of faulty)
    expect(faultsOf(await listener.report(deliveryId, wrong))).toEqual([422, ...fields]);
  const responseBodySent = `\u0000\ud800${"ä".repeat(3_000)}`;
  const largest = { ...result(200), durationMs: 2_147_483_647, responseBody: responseBodySent };
  const { status } = await listener.report(deliveryId, largest);
  expect(status).toBe(200);
  const [{ responseBody }] = (await tenant.delivery(deliveryId)).attempts;
  expect([responseBody.slice(0, 3), Buffer.byteLength(responseBody) <= 2_050]).toEqual([
    "\uFFFD\uFFFDä",
    true,
  ]);
});

test("unknown deliveries, and those of other listeners, do not exist", async () => {
  const other = await listen(tenant);
  const { deliveryId } = await emitAndLease();
  for (const id of [randomUUID(), "x"]) expect((await listener.report(id, result(200))).status).toBe(404);
  expect((await other.report(deliveryId, result(200))).status).toBe(404);
});

test("has at most 100 deliveries leased at a time", async () => {
  const first = await emitAndLease();
  await webhooks.copyDelivery(first.deliveryId, 150, { lockedFor: null });
  await webhooks.set("deliveries", listener.id, "queue_state = 'waiting'");
  const leases = await Promise.all(Array.from({ length: 4 }, () => listener.lease({ limit: 60 })));
  expect(leases.flat().length).toBe(99);
  expect(await listener.lease()).toEqual([]);
  await listener.report(first.deliveryId, result(200));
  expect((await listener.lease()).length).toBe(1);
});

test("leases large events in several responses", async () => {
  for (let made = 0; made < 4; made += 1) await tenant.emit({ note: "x".repeat(600_000) });
  await until("all of them", async () => (await listener.read()).waiting.pending === 4);
  expect((await listener.lease()).length).toBe(1);
  expect((await listener.lease()).length).toBe(1);
});

test("keeps its deliveries in the log when it is deleted", async () => {
  const done = await emitAndLease();
  await listener.report(done.deliveryId, result(200));
  const { deliveryId } = await emitAndLease();
  await tenant.emit();
  // An event that arrives after the deletion has no delivery.
  await tenant.untilDeliveries(listener.id, 3);
  expect((await tenant.owner().delete(listener.path)).status).toBe(200);
  expect((await listener.report(deliveryId, result(200))).status).toBe(404);
  await until("both to be cancelled", async () => {
    const found = await tenant.statuses(listener.id);
    return found.filter((status) => status === "cancelled").length === 2;
  });
  const { request } = await tenant.delivery(done.deliveryId);
  expect([request.url, request.body]).toEqual([undefined, done.body]);
});

test("who may lease a delivery may redeliver it, and nobody else's", async () => {
  const other = await listen(tenant);
  const { deliveryId } = await emitAndLease();
  await listener.report(deliveryId, result(200));
  const key = webhooks.as({ tenantId: tenant.tenantId, role: "editor" });
  const redeliver = (path: string, id: string) => key.post(`${path}/deliveries/${id}/redeliver`);
  const { status, body } = await redeliver(listener.path, deliveryId);
  expect([status, body.data.status, body.data.attemptCount]).toEqual([202, "pending", 0]);
  expect((await webhooks.auditEntries(tenant.tenantId, deliveryId)).map(({ action }) => action)).toEqual([
    "webhook_delivery.redelivered",
  ]);
  const subscription = await tenant.subscribe("https://hooks.example.com/in");
  for (const [path, id] of [
    [other.path, deliveryId],
    [`/v1/webhooks/listeners/${subscription.id}`, deliveryId],
    [listener.path, randomUUID()],
    [listener.path, "x"],
  ] as const) {
    expect((await redeliver(path, id)).status).toBe(404);
  }
});

test("a result from before a redelivery does not end the new round", async () => {
  const { deliveryId } = await emitAndLease();
  await tenant.redeliver(deliveryId);
  const { status, body } = await listener.report(deliveryId, result(200));
  expect([status, body.error.message]).toEqual([409, "Attempt 1 is not leased."]);
  expect(await leaseOne()).toMatchObject({ deliveryId, attempt: 1 });
  expect((await listener.report(deliveryId, result(200))).status).toBe(200);
});

describe("a lease that runs out", () => {
  beforeAll(() => webhooks.restart({ WEBHOOKS_LEASE_MS: "100" }));

  test("comes back as the same attempt, and only its last client may settle it", async () => {
    const first = await emitAndLease();
    const second = await leaseOne();
    expect([second.deliveryId, second.attempt]).toEqual([first.deliveryId, first.attempt]);
    await until("the end of the lease", async () => (await listener.read()).waiting.leased === 0);
    const report = async (leaseId: string | undefined, statusCode: number) => {
      const { status, body } = await listener.report(first.deliveryId, { leaseId, ...result(statusCode) });
      return [status, body.error?.code ?? body.data.status];
    };
    const lost = [409, "lease_lost"];
    expect(await report(first.leaseId, 500)).toEqual(lost);
    expect(await report(first.leaseId, 200)).toEqual(lost);
    // Without the id of a lease, nobody can tell which one it means.
    expect(await report(undefined, 200)).toEqual(lost);
    // The last lease has run out, but nobody else has leased the delivery.
    expect(await report(second.leaseId, 200)).toEqual([200, "delivered"]);
    expect(await report(second.leaseId, 200)).toEqual([200, "delivered"]);
    expect(await report(second.leaseId, 500)).toEqual([409, "conflict"]);
    expect(await report(first.leaseId, 200)).toEqual(lost);
  });

  test("and comes back while a result is recorded makes that result not count", async () => {
    const first = await emitAndLease();
    await using holder = await webhooks.begin(
      "select from subscriptions where id = $1 for update",
      listener.id,
    );
    const late = listener.report(first.deliveryId, { leaseId: first.leaseId, ...result(500) });
    await webhooks.untilLocked();
    const second = await leaseOne();
    await holder.commit();
    expect((await late).body.error.code).toBe("lease_lost");
    const { leaseId, attempt } = second;
    const { body } = await listener.report(first.deliveryId, { leaseId, ...result(200, attempt) });
    expect([attempt, body.data.status]).toEqual([1, "delivered"]);
  });
});
