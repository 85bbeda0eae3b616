// Endpoints that ask to wait, have limits, or fail for a long time (interface §17).
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { PATIENCE } from "../src/sending/next-attempt.ts";
import { startWithReceiver } from "./support/use-webhooks.ts";

type Started = Awaited<ReturnType<typeof startWithReceiver>>;

async function start(
  settings: Record<string, string> = {},
  options: Parameters<typeof startWithReceiver>[1] = {},
) {
  const started = await startWithReceiver(
    { WEBHOOKS_RETRY_SCHEDULE: "200ms,200ms,200ms,200ms", ...settings },
    options,
  );
  return { ...started, tenant: started.webhooks.tenant(), [Symbol.asyncDispose]: started.stop };
}

const subscription = async ({ tenant }: { tenant: ReturnType<Started["webhooks"]["tenant"]> }, id: string) =>
  (await tenant.owner().get(`/v1/webhooks/subscriptions/${id}`)).body.data;

const noticesOf = async ({ tenant }: { tenant: ReturnType<Started["webhooks"]["tenant"]> }, query = "") =>
  (await tenant.owner().get(`/v1/notices${query}`)).body.data;

test("an endpoint that asks to wait gets no attempt before, and waiting uses up none", async () => {
  await using started = await start();
  const { webhooks, receiver, tenant } = started;
  const HOLD_S = 2;
  receiver.behave(() =>
    receiver.received.length > 1 ? 200 : (res) => res.writeHead(503, { "retry-after": String(HOLD_S) }).end(),
  );
  const { id } = await tenant.subscribe(`${receiver.url}/busy`);
  await webhooks.emit(tenant.tenantId, { number: 1 });
  await until("the hold", async () => (await subscription(started, id)).health.heldUntil !== null);
  const { health } = await subscription(started, id);
  await webhooks.emit(tenant.tenantId, { number: 2 });
  await tenant.owner().post(`/v1/webhooks/subscriptions/${id}/test`, {});
  await until("all to be delivered", async () =>
    (await tenant.deliveries(id)).every(({ status }: { status: string }) => status === "delivered"),
  );
  const [, ...later] = receiver.received;
  expect(later).toHaveLength(3);
  for (const { at } of later) expect(at.getTime()).toBeGreaterThanOrEqual(Date.parse(health.heldUntil));
  const counts = (await tenant.deliveries(id)).map(
    ({ attemptCount }: { attemptCount: number }) => attemptCount,
  );
  expect(counts.sort()).toEqual([1, 1, 2]);
  expect((await subscription(started, id)).health).toMatchObject({ heldUntil: null, waiting: 0 });
});

test("a hold is that of one subscription, not of another at the same host", async () => {
  await using started = await start({ WEBHOOKS_RETRY_SCHEDULE: "1h" });
  const { webhooks, receiver, tenant } = started;
  receiver.behave(({ path }) =>
    path === "/busy" ? (res) => res.writeHead(503, { "retry-after": "3600" }).end() : 200,
  );
  const { id: busy } = await tenant.subscribe(`${receiver.url}/busy`);
  const { id: other } = await tenant.subscribe(`${receiver.url}/other`);
  await webhooks.emit(tenant.tenantId, { number: 1 });
  await until("the hold", async () => (await subscription(started, busy)).health.heldUntil !== null);
  for (const number of [2, 3]) await webhooks.emit(tenant.tenantId, { number });
  await until("the other's", () => receiver.received.filter(({ path }) => path === "/other").length === 3);
  await until("the rest to wait", async () => (await subscription(started, busy)).health.waiting === 3);
  expect(receiver.received.filter(({ path }) => path === "/busy")).toHaveLength(1);
  expect((await subscription(started, other)).health.heldUntil).toBeNull();
});

test("limits hold over two replicas", async () => {
  await using started = await start();
  const { webhooks, receiver, tenant } = started;
  await webhooks.startReplica();
  let inFlight = 0;
  let most = 0;
  receiver.behave(() => (res) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    setTimeout(() => {
      inFlight -= 1;
      res.writeHead(200).end();
    }, 100);
  });
  const { id } = await tenant.subscribe(`${receiver.url}/limited`);
  const path = `/v1/webhooks/subscriptions/${id}`;
  const RATE = 10;
  const limited = await tenant.owner().patch(path, { maxPerSecond: RATE, maxInFlight: 2 });
  expect(limited.body.data).toMatchObject({ maxPerSecond: RATE, maxInFlight: 2 });
  for (let number = 0; number < 30; number += 1) await webhooks.emit(tenant.tenantId, { number });
  await until("all", () => receiver.received.length === 30);
  expect(most).toBeLessThanOrEqual(2);
  const times = receiver.received.map(({ at }) => at.getTime() / 1_000);
  // In any T seconds at most 1.1 × rate × (T + 1).
  for (let from = 0; from < times.length; from += 1) {
    for (let to = from; to < times.length; to += 1) {
      const seconds = (times[to] ?? 0) - (times[from] ?? 0);
      expect(to - from + 1).toBeLessThanOrEqual(1.1 * RATE * (seconds + 1));
    }
  }
});

test("limits are checked and removed", async () => {
  await using started = await start();
  const { receiver, tenant } = started;
  const { id } = await tenant.subscribe(`${receiver.url}/limits`);
  const path = `/v1/webhooks/subscriptions/${id}`;
  const wrong = await tenant.owner().patch(path, { maxPerSecond: 0, maxInFlight: 101 });
  expect(wrong.status).toBe(422);
  expect(wrong.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
    "maxPerSecond",
    "maxInFlight",
  ]);
  const before = (await tenant.owner().patch(path, { maxInFlight: 3 })).body.data;
  const after = (await tenant.owner().patch(path, { maxInFlight: null })).body.data;
  expect(after).toMatchObject({ maxPerSecond: null, maxInFlight: null, version: before.version + 1 });
});

test("an endpoint that is down is tried one at a time, and the first success frees what waits, oldest first", async () => {
  const patience = { ...PATIENCE, downAfterMs: 500, tryEveryMs: 700 };
  await using started = await start(
    { WEBHOOKS_RETRY_SCHEDULE: "100ms,100ms,100ms,100ms,100ms,100ms,1h" },
    { patience },
  );
  const { webhooks, receiver, tenant } = started;
  let isDown = true;
  receiver.behave(() => (isDown ? 500 : 200));
  const { id } = await tenant.subscribe(`${receiver.url}/dead`);
  for (let number = 0; number < 4; number += 1) await webhooks.emit(tenant.tenantId, { number });
  await until(
    "the endpoint to be down",
    async () => (await subscription(started, id)).health.status === "down",
  );
  const { health } = await subscription(started, id);
  expect(health).toMatchObject({ downSince: expect.any(String), waiting: expect.any(Number) });
  const [down] = await noticesOf(started, "?open=true&kind=endpoint_down");
  expect(down).toMatchObject({ subscriptionId: id, closedAt: null, acknowledgedAt: null });
  const triedBefore = receiver.received.length;
  for (let number = 4; number < 40; number += 1) await webhooks.emit(tenant.tenantId, { number });
  await until("two tries", () => receiver.received.length >= triedBefore + 2);
  const [first, second] = receiver.received.slice(triedBefore);
  expect((second?.at.getTime() ?? 0) - (first?.at.getTime() ?? 0)).toBeGreaterThanOrEqual(600);
  const unattempted = (await tenant.deliveries(id)).filter(
    ({ attemptCount }: { attemptCount: number }) => attemptCount === 0,
  );
  expect(unattempted.length).toBeGreaterThanOrEqual(30);
  isDown = false;
  receiver.received.length = 0;
  await until("what waits to arrive", () => receiver.received.length >= 36);
  expect((await subscription(started, id)).health).toMatchObject({
    status: "healthy",
    heldUntil: null,
    downSince: null,
  });
  expect(await noticesOf(started, "?open=true&kind=endpoint_down")).toEqual([]);
  expect(await noticesOf(started, "?open=false&kind=endpoint_down")).toHaveLength(1);
});

test("what waits for a retry is due now when an admin asks, a hold ends, and attempts are not reset", async () => {
  await using started = await start({ WEBHOOKS_RETRY_SCHEDULE: "1h" });
  const { webhooks, receiver, tenant } = started;
  receiver.behave(() => (res) => res.writeHead(503, { "retry-after": "3600" }).end());
  const { id } = await tenant.subscribe(`${receiver.url}/later`);
  await webhooks.emit(tenant.tenantId, { number: 1 });
  await until("the failure", async () => (await subscription(started, id)).health.consecutiveFailures === 1);
  await webhooks.emit(tenant.tenantId, { number: 2 });
  await until("both to wait", async () => (await subscription(started, id)).health.waiting === 2);
  receiver.behave(() => 200);
  const path = `/v1/webhooks/subscriptions/${id}/retry-waiting`;
  const retried = await tenant.owner().post(path, {});
  expect(retried).toMatchObject({ status: 202, body: { data: { waiting: 2 } } });
  await until("both", async () =>
    (await tenant.deliveries(id)).every(({ status }: { status: string }) => status === "delivered"),
  );
  const attempts = (await tenant.deliveries(id)).map(
    ({ attemptCount }: { attemptCount: number }) => attemptCount,
  );
  // Newest first.
  expect(attempts).toEqual([1, 2]);
});

test("what waits beyond a bound fails as expired or overflow, and is noticed once", async () => {
  await using started = await start(
    { WEBHOOKS_RETRY_SCHEDULE: "1h", WEBHOOKS_WAITING_MAX: "5", WEBHOOKS_WAITING_DAYS_MAX: "2" },
    { lookAtBoundsEveryMs: 200 },
  );
  const { webhooks, receiver, tenant } = started;
  receiver.behave(() => (res) => res.writeHead(503, { "retry-after": "3600" }).end());
  const { id } = await tenant.subscribe(`${receiver.url}/full`);
  await webhooks.emit(tenant.tenantId, { number: 0 });
  await until("the hold", async () => (await subscription(started, id)).health.heldUntil !== null);
  for (let number = 1; number < 8; number += 1) await webhooks.emit(tenant.tenantId, { number });
  const failed = (outcome: string) =>
    tenant.owner().get(`/v1/webhooks/deliveries?subscriptionId=${id}&outcome=${outcome}`);
  await until("the overflow", async () => (await failed("overflow")).body.data.length === 3);
  const [over] = (await failed("overflow")).body.data;
  expect(await tenant.delivery(over.id)).toMatchObject({ status: "failed", outcome: "overflow" });
  await webhooks.pool.query(
    "update deliveries set created_at = now() - interval '3 days' where tenant_id = $1",
    [tenant.tenantId],
  );
  await until("the rest to expire", async () => (await failed("expired")).body.data.length === 5);
  const notices = await noticesOf(started, "?kind=delivery_failed");
  expect(notices).toMatchObject([{ subscriptionId: id, facts: { count: 8 } }]);
  await until("the notice about the bound", async () =>
    (await noticesOf(started, "?kind=waiting_near_bound")).some(
      ({ facts }: { facts: object }) => "bound" in facts,
    ),
  );
});

test("a notice has no path and no secret, and the first user who acknowledges it is named", async () => {
  await using started = await start();
  const { webhooks, receiver, tenant } = started;
  receiver.behave(() => 410);
  const { id, signingSecret } = await tenant.subscribe(`${receiver.url}/hidden-path?token=hidden`);
  await webhooks.emit(tenant.tenantId, { number: 1 });
  await until("the notice", async () => (await noticesOf(started, "?kind=endpoint_gone")).length === 1);
  const [gone] = await noticesOf(started, `?subscriptionId=${id}&kind=endpoint_gone`);
  expect(gone.subject).toBe(`Test (${new URL(receiver.url).host})`);
  expect(JSON.stringify(gone)).not.toMatch(/hidden/);
  expect(JSON.stringify(gone)).not.toContain(signingSecret);
  const path = `/v1/notices/${gone.id}/acknowledge`;
  const key = { type: "api_key", id: "k", name: "Key" } as const;
  expect((await webhooks.as({ tenantId: tenant.tenantId, actor: key }).post(path, {})).status).toBe(403);
  const once = await tenant.owner().post(path, {});
  expect(once).toMatchObject({ status: 200, body: { data: { acknowledgedBy: { type: "user" } } } });
  const again = await tenant.owner().post(path, {});
  expect(again.body.data.acknowledgedAt).toBe(once.body.data.acknowledgedAt);
  expect((await webhooks.tenant().owner().post(path, {})).status).toBe(404);
  const changed = await tenant
    .owner()
    .patch(`/v1/webhooks/subscriptions/${id}`, { url: `${receiver.url}/new` });
  expect(changed.status).toBe(200);
  expect(await noticesOf(started, "?open=true&kind=endpoint_gone")).toEqual([]);
  await tenant.unsubscribe(id);
  expect(await noticesOf(started, "?open=true")).toEqual([]);
});
