// Deliveries fail because too many wait, or for too long; the bounds do not apply to some; and a delivery that failed at a bound is
// sent again (interface §17, §18).
import { until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const DAYS_MAX = 2;
const WAITING_MAX = 5;

const { webhooks, receiver, tenant } = useWebhooks(
  {
    WEBHOOKS_RETRY_SCHEDULE: "1h,1h",
    WEBHOOKS_WAITING_DAYS_MAX: String(DAYS_MAX),
    WEBHOOKS_WAITING_MAX: String(WAITING_MAX),
  },
  { lookAtBoundsEveryMs: 100 },
);

/** Makes a subscription that is held for an hour, with deliveries that wait. */
async function hold(path: string, count: number): Promise<string> {
  receiver.askToWait();
  const { id } = await tenant.subscribe(path);
  await tenant.emitMany(count);
  await until("the hold", async () => {
    const { health } = await tenant.subscription(id);
    return health.heldUntil !== null && health.waiting === count;
  });
  return id;
}

const makeOld = (id: string) =>
  webhooks.set("deliveries", id, `created_at = now() - interval '${DAYS_MAX + 1} days'`);

/** Waits until the bounds have been checked once more: another tenant's old delivery has expired. */
async function untilLooked() {
  const witness = webhooks.tenant();
  const { id } = await witness.subscribe("/witness");
  await holdForAnHour(id);
  await witness.emit();
  await witness.untilDeliveries(id, 1);
  await makeOld(id);
  await witness.untilDelivery(id, "failed");
}

const holdForAnHour = (id: string) =>
  webhooks.set("subscriptions", id, "held_until = now() + interval '1 hour'");

test("what waits beyond a bound fails as expired or overflow, and is noticed once", async () => {
  const id = await hold("/full", 1);
  await tenant.emitMany(7);
  const failed = (outcome: string) => tenant.get(`deliveries?subscriptionId=${id}&outcome=${outcome}`);
  await until("the overflow", async () => (await failed("overflow")).length === 3);
  const [over] = await failed("overflow");
  expect(await tenant.delivery(over.id)).toMatchObject({ status: "failed", outcome: "overflow" });
  await makeOld(id);
  await until("the rest to expire", async () => (await failed("expired")).length === 5);
  const notices = await tenant.notices("?kind=delivery_failed");
  expect(notices).toMatchObject([{ subscriptionId: id, facts: { count: 8 } }]);
  await until("the notice about the bound", async () =>
    (await tenant.notices("?kind=waiting_near_bound")).some(({ facts }) => "bound" in facts),
  );
});

test("a delivery that a pause held back for longer than the bound is sent after the resume", async () => {
  const id = await hold("/paused", 3);
  await tenant.setActive(id, false);
  await webhooks.untilReconciled();
  await makeOld(id);
  await tenant.setActive(id, true);
  await untilLooked();
  expect(await tenant.statuses(id)).not.toContain("failed");
  receiver.behave(() => 200);
  await tenant.act(id, "retry-waiting", {});
  await tenant.untilAll(id, "delivered");
});

test("a delivery that expired is sent when it is redelivered, and then has the outcome of its attempts", async () => {
  const id = await hold("/expired", 1);
  await makeOld(id);
  const expired = await tenant.untilDelivery(id, "failed");
  expect(expired).toMatchObject({ outcome: "expired" });
  const redelivered = await tenant.redeliver(expired.id);
  expect(redelivered).toMatchObject({ status: 202, body: { data: { status: "pending", attemptCount: 0 } } });
  await untilLooked();
  expect(await tenant.delivery(expired.id)).toMatchObject({ status: "pending", outcome: "http_status" });
  receiver.behave(() => 200);
  await tenant.act(id, "retry-waiting", {});
  await tenant.untilDelivery(id, "delivered");
  expect(await tenant.delivery(expired.id)).toMatchObject({ status: "delivered", outcome: "delivered" });
});

test("what is paused but not yet reconciled neither expires nor overflows", async () => {
  const id = await hold("/pausing", 2);
  const [{ id: deliveryId }] = await tenant.deliveries(id);
  // Does not request a reconciliation, unlike the API.
  await webhooks.set("subscriptions", id, "active = false");
  await webhooks.copyDelivery(deliveryId, WAITING_MAX - 1, { lockedFor: null });
  await makeOld(id);
  await untilLooked();
  expect(await tenant.statuses(id)).toHaveLength(WAITING_MAX + 1);
  expect(await tenant.statuses(id)).not.toContain("failed");
});

test("what is too many is taken from the endpoint with the most waiting, and is in the ledger and the dead letters", async () => {
  const small = await hold("/small", 2);
  const { id: large } = await tenant.subscribe("/large", ["media.uploaded"]);
  await holdForAnHour(large);
  const oldest = await tenant.emit({ number: 0 }, { type: "media.uploaded" });
  await tenant.untilDeliveries(large, 1);
  await tenant.emitMany(3, { type: "media.uploaded" });
  await tenant.untilDeliveries(large, 4);
  const failed = await until("the overflow", async () =>
    (await tenant.deliveries(large)).find(({ status }) => status === "failed"),
  );
  expect(failed).toMatchObject({ eventId: oldest, attemptCount: 0 });
  await makeOld(small);
  await tenant.untilAll(small, "failed");
  expect((await tenant.statuses(large)).filter((status) => status === "failed")).toHaveLength(1);

  const text = `select subscription_id as id, reason, count(*)::integer from dead_letters
    where tenant_id = $1 group by 1, 2 order by reason desc`;
  const rows = await webhooks.query(text, tenant.tenantId);
  expect(rows).toEqual([
    { id: large, reason: "overflow", count: 1 },
    { id: small, reason: "expired", count: 2 },
  ]);
  const day = new Date().toISOString().slice(0, 10);
  const ledger = async (subscriptionId: string) =>
    (await tenant.get(`ledger?subscriptionId=${subscriptionId}&day=${day}`)).types;
  const counts = { delivered: 0, cancelled: 0 };
  expect(await ledger(large)).toMatchObject([
    { type: "media.uploaded", matched: 4, failed: 1, waiting: 3, ...counts },
    { type: "redirect.added", matched: 0 },
  ]);
  expect(await ledger(small)).toMatchObject([
    { type: "media.uploaded", matched: 0 },
    { type: "redirect.added", matched: 2, failed: 2, waiting: 0, ...counts },
  ]);
});

test("the deliveries of a replay overflow before older ones that wait for a retry", async () => {
  const LIVE = 2;
  await tenant.emitMany(WAITING_MAX);
  await until("the events", async () => (await tenant.get("events")).length === WAITING_MAX);
  const id = await hold("/hook", LIVE);
  const live = (await tenant.deliveries(id)).map(({ eventId }) => eventId);
  await tenant.replay(id, "missing");
  const failed = await until("what exceeds the bound to fail", async () => {
    const found = await tenant.get(`deliveries?subscriptionId=${id}&status=failed`);
    return found.length === LIVE && found;
  });
  for (const { eventId } of failed) expect(live).not.toContain(eventId);
  expect((await tenant.health(id)).waiting).toBe(WAITING_MAX);
});
