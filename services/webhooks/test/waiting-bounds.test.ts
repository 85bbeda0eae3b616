// What fails because too many deliveries wait, or for too long, what the bounds leave alone, and how a delivery that failed at a bound
// is sent again (interface §17, §18).
import { expect, test } from "@jest/globals";
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
  receiver.behave(() => (res) => res.writeHead(503, { "retry-after": "3600" }).end());
  const { id } = await tenant.subscribe(`${receiver.url}${path}`);
  await emit(count);
  await until("the hold", async () => {
    const { health } = await tenant.subscription(id);
    return health.heldUntil !== null && health.waiting === count;
  });
  return id;
}

async function emit(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1)
    ids.push(await webhooks.emit(tenant.tenantId, { number }));
  return ids;
}

/** Makes the deliveries of a subscription older than the bound. */
const makeOld = (id: string) =>
  webhooks.query(
    "update deliveries set created_at = now() - $2 * interval '1 day' where subscription_id = $1",
    id,
    DAYS_MAX + 1,
  );

/** Waits until the bounds have been checked once more: another tenant's old delivery has expired. */
async function untilLooked() {
  const witness = webhooks.tenant();
  const { id } = await witness.subscribe(`${receiver.url}/witness`);
  await holdForAnHour(id);
  await webhooks.emit(witness.tenantId);
  await until("the witness", async () => (await witness.deliveries(id)).length === 1);
  await makeOld(id);
  await witness.untilDelivery(id, "failed");
}

const holdForAnHour = (id: string) =>
  webhooks.query("update subscriptions set held_until = now() + interval '1 hour' where id = $1", id);

test("what waits beyond a bound fails as expired or overflow, and is noticed once", async () => {
  const id = await hold("/full", 1);
  await emit(7);
  const failed = (outcome: string) =>
    tenant.owner().get(`/v1/webhooks/deliveries?subscriptionId=${id}&outcome=${outcome}`);
  await until("the overflow", async () => (await failed("overflow")).body.data.length === 3);
  const [over] = (await failed("overflow")).body.data;
  expect(await tenant.delivery(over.id)).toMatchObject({ status: "failed", outcome: "overflow" });
  await makeOld(id);
  await until("the rest to expire", async () => (await failed("expired")).body.data.length === 5);
  const notices = await tenant.notices("?kind=delivery_failed");
  expect(notices).toMatchObject([{ subscriptionId: id, facts: { count: 8 } }]);
  await until("the notice about the bound", async () =>
    (await tenant.notices("?kind=waiting_near_bound")).some(
      ({ facts }: { facts: object }) => "bound" in facts,
    ),
  );
});

test("a delivery that a pause held back for longer than the bound is sent after the resume", async () => {
  const id = await hold("/paused", 3);
  await tenant.setActive(id, false);
  await until("the pause", async () => {
    const { length: rowCount } = await webhooks.query("select from reconciliations");
    return rowCount === 0;
  });
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
  const redelivered = await tenant.owner().post(`/v1/webhooks/deliveries/${expired.id}/redeliver`);
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
  await webhooks.query("update subscriptions set active = false where id = $1", id);
  await webhooks.copyDelivery(deliveryId, WAITING_MAX - 1, { lockedFor: null });
  await makeOld(id);
  await untilLooked();
  expect(await tenant.statuses(id)).toHaveLength(WAITING_MAX + 1);
  expect(await tenant.statuses(id)).not.toContain("failed");
});

test("what is too many is taken from the endpoint with the most waiting, and is in the ledger and the dead letters", async () => {
  const small = await hold("/small", 2);
  const { id: large } = await tenant.subscribe(`${receiver.url}/large`, ["media.uploaded"]);
  await holdForAnHour(large);
  const oldest = await webhooks.emit(tenant.tenantId, { number: 0 }, { type: "media.uploaded" });
  await until("the oldest", async () => (await tenant.deliveries(large)).length === 1);
  for (let number = 1; number < 4; number += 1)
    await webhooks.emit(tenant.tenantId, { number }, { type: "media.uploaded" });
  const failed = await until("the overflow", async () => {
    const deliveries = await tenant.deliveries(large);
    return (
      deliveries.length === 4 && deliveries.find(({ status }: { status: string }) => status === "failed")
    );
  });
  expect(failed).toMatchObject({ eventId: oldest, attemptCount: 0 });
  await makeOld(small);
  await tenant.untilAll(small, "failed");
  expect((await tenant.statuses(large)).filter((status: string) => status === "failed")).toHaveLength(1);

  const rows = await webhooks.query(
    "select subscription_id as id, reason, count(*)::integer from dead_letters where tenant_id = $1 group by 1, 2 order by reason desc",
    tenant.tenantId,
  );
  expect(rows).toEqual([
    { id: large, reason: "overflow", count: 1 },
    { id: small, reason: "expired", count: 2 },
  ]);
  const ledger = async (subscriptionId: string) => {
    const day = new Date().toISOString().slice(0, 10);
    const query = new URLSearchParams({ subscriptionId, day });
    const { body } = await tenant.owner().get(`/v1/webhooks/ledger?${query}`);
    return body.data.types;
  };
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
  await emit(WAITING_MAX);
  await until("the events", async () => {
    const { body } = await tenant.owner().get("/v1/webhooks/events");
    return body.data.length === WAITING_MAX;
  });
  const id = await hold("/hook", LIVE);
  const live = (await tenant.deliveries(id)).map(({ eventId }: { eventId: string }) => eventId);
  await tenant.act(id, "replays", { since: "2020-01-01T00:00:00Z", include: "missing" });
  const failed = await until("what exceeds the bound to fail", async () => {
    const { body } = await tenant.owner().get(`/v1/webhooks/deliveries?subscriptionId=${id}&status=failed`);
    return body.data.length === LIVE && body.data;
  });
  for (const { eventId } of failed) expect(live).not.toContain(eventId);
  expect((await tenant.subscription(id)).health.waiting).toBe(WAITING_MAX);
});
