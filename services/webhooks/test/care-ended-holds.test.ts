// A hold that somebody ends, although its endpoint is down or has limits (interface §17).
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { PATIENCE } from "../src/sending/next-attempt.ts";
import { insertBacklog } from "./support/backlog.ts";
import { startWithReceiver } from "./support/use-webhooks.ts";

const HOUR_MS = 3_600_000;
const DELIVERIES = 30;

async function start() {
  const started = await startWithReceiver(
    { WEBHOOKS_RETRY_SCHEDULE: "50ms,50ms,50ms,50ms,50ms,50ms,50ms,50ms,50ms,1h" },
    { patience: { ...PATIENCE, downAfterMs: 100, tryEveryMs: HOUR_MS } },
  );
  const tenant = started.webhooks.tenant();
  return {
    ...{ ...started, tenant },
    healthOf: async (id: string) =>
      (await tenant.owner().get(`/v1/webhooks/subscriptions/${id}`)).body.data.health,
    /** Waits until no delivery is open, or none that `isChosen` selects. */
    untilDelivered: (id: string, isChosen = (_: { attemptCount: number }) => true) =>
      until("what waits to be delivered", async () =>
        (await tenant.deliveries(id))
          .filter(({ status }: { status: string }) => status !== "delivered")
          .every((delivery: { attemptCount: number }) => !isChosen(delivery)),
      ),
    [Symbol.asyncDispose]: started.stop,
  };
}

/** Makes an endpoint that is down, or that has limits and asks to wait, while deliveries are due. */
async function hold(
  { webhooks, receiver, tenant, healthOf }: Awaited<ReturnType<typeof start>>,
  kind: "is down" | "has limits",
) {
  const { id } = await tenant.subscribe(`${receiver.url}/held`);
  if (kind === "has limits")
    await tenant.owner().patch(`/v1/webhooks/subscriptions/${id}`, { maxPerSecond: 100, maxInFlight: 1 });
  receiver.behave(() =>
    kind === "is down" ? 500 : (res) => res.writeHead(503, { "retry-after": "3600" }).end(),
  );
  await insertBacklog(webhooks.pool, tenant, id, DELIVERIES);
  await webhooks.pool.query("update deliveries set queue_state = 'waiting', next_attempt_at = created_at");
  await until("the hold", async () => {
    const { heldUntil, status } = await healthOf(id);
    return heldUntil !== null && (kind !== "is down" || status === "down");
  });
  await until("all to wait", async () => (await healthOf(id)).waiting === DELIVERIES);
  receiver.behave(() => 200);
  // An attempt that began just before the hold and fails holds the endpoint again.
  await until("the end of all attempts", async () => {
    const { rowCount } = await webhooks.pool.query("select from deliveries where locked_until > now()");
    return rowCount === 0;
  });
  return id;
}

test.each([410, 503])("a %i from the former URL says nothing about the new one", async (status) => {
  await using started = await start();
  const { webhooks, receiver, tenant } = started;
  let respond: () => void = () => undefined;
  receiver.behave(() => (res) => {
    respond = () => res.writeHead(status, { "retry-after": "3600" }).end();
  });
  const { id } = await tenant.subscribe(`${receiver.url}/former`);
  await webhooks.emit(tenant.tenantId);
  await receiver.waitFor("the attempt", ({ path }) => path === "/former");
  await tenant.owner().patch(`/v1/webhooks/subscriptions/${id}`, { url: `${receiver.url}/new` });
  receiver.behave(() => 200);
  respond();
  await tenant.untilDelivery(id, "delivered");
  expect(await started.healthOf(id)).toMatchObject({ status: "healthy", heldUntil: null });
  expect((await tenant.owner().get("/v1/notices")).body.data).toEqual([]);
  expect(receiver.received.map(({ path }) => path)).toEqual(["/former", "/new"]);
});

for (const kind of ["is down", "has limits"] as const) {
  test(`retry-waiting ends the hold of an endpoint that ${kind}`, async () => {
    await using started = await start();
    const id = await hold(started, kind);
    const path = `/v1/webhooks/subscriptions/${id}/retry-waiting`;
    expect((await started.tenant.owner().post(path, {})).status).toBe(202);
    await started.untilDelivered(id);
  });

  test(`another URL ends the hold of an endpoint that ${kind}`, async () => {
    await using started = await start();
    const { receiver, tenant } = started;
    const id = await hold(started, kind);
    await tenant.owner().patch(`/v1/webhooks/subscriptions/${id}`, { url: `${receiver.url}/new` });
    // A delivery that failed at the former URL waits for its next attempt.
    await started.untilDelivered(id, ({ attemptCount }) => attemptCount === 0);
  });
}
