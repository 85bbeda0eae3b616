// A hold that somebody ends, although its endpoint is down or has limits (interface §17).
import { until } from "@tradepost/testing";
import { PATIENCE } from "../src/sending/next-attempt.ts";
import { insertBacklog } from "./support/backlog.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const HOUR_MS = 3_600_000;
const DELIVERIES = 30;

const { webhooks, receiver, tenant } = useWebhooks(
  { WEBHOOKS_RETRY_SCHEDULE: "50ms,50ms,50ms,50ms,50ms,50ms,50ms,50ms,50ms,1h" },
  { patience: { ...PATIENCE, downAfterMs: 100, tryEveryMs: HOUR_MS } },
);

/** Makes an endpoint that is down, or that has limits and asks to wait, while deliveries are due. */
async function hold(kind: "is down" | "has limits") {
  const { id } = await tenant.subscribe("/held");
  if (kind === "has limits") await tenant.change(id, { maxPerSecond: 100, maxInFlight: 1 });
  if (kind === "is down") receiver.behave(() => 500);
  else receiver.askToWait();
  await insertBacklog(webhooks.pool, tenant, id, DELIVERIES);
  await webhooks.set("deliveries", id, "queue_state = 'waiting', next_attempt_at = created_at");
  await until("the hold, and all to wait", async () => {
    const { heldUntil, status, waiting } = await tenant.health(id);
    return heldUntil !== null && (kind !== "is down" || status === "down") && waiting === DELIVERIES;
  });
  receiver.behave(() => 200);
  // An attempt that began just before the hold and fails holds the endpoint again.
  await webhooks.untilNone("select from deliveries where subscription_id = $1 and locked_until > now()", id);
  return id;
}

test.each([410, 503])("a %i from the former URL says nothing about the new one", async (status) => {
  let respond: () => void = () => undefined;
  receiver.behave(() => (res) => {
    respond = () => res.writeHead(status, { "retry-after": "3600" }).end();
  });
  const { id } = await tenant.subscribe("/former");
  await tenant.emit();
  await receiver.waitFor("the attempt", ({ path }) => path === "/former");
  await tenant.change(id, { url: `${receiver.url}/new` });
  receiver.behave(() => 200);
  respond();
  await tenant.untilDelivery(id, "delivered");
  expect(await tenant.health(id)).toMatchObject({ status: "healthy", heldUntil: null });
  expect(await tenant.notices()).toEqual([]);
  expect(receiver.paths()).toEqual(["/former", "/new"]);
});

for (const kind of ["is down", "has limits"] as const) {
  test(`retry-waiting ends the hold of an endpoint that ${kind}`, async () => {
    const id = await hold(kind);
    expect((await tenant.act(id, "retry-waiting", {})).status).toBe(202);
    await tenant.untilAll(id, "delivered");
  });

  test(`another URL ends the hold of an endpoint that ${kind}`, async () => {
    const id = await hold(kind);
    await tenant.change(id, { url: `${receiver.url}/new` });
    // A delivery that failed at the former URL waits for its next attempt.
    await until("the others to be delivered", async () =>
      (await tenant.deliveries(id)).every((one) => one.status === "delivered" || one.attemptCount > 0),
    );
  });
}
