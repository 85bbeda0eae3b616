// Which waiting deliveries the bounds leave alone, and how a delivery that failed at a bound is sent again (interface §17).
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { startWithReceiver } from "./support/use-webhooks.ts";

const DAYS_MAX = 2;

async function start(settings: Record<string, string> = {}) {
  const started = await startWithReceiver(
    { WEBHOOKS_RETRY_SCHEDULE: "1h,1h", WEBHOOKS_WAITING_DAYS_MAX: String(DAYS_MAX), ...settings },
    { lookAtBoundsEveryMs: 100 },
  );
  const { webhooks, receiver } = started;
  const tenant = webhooks.tenant();
  const statusesOf = async (id: string) =>
    (await tenant.deliveries(id)).map(({ status }: { status: string }) => status);
  return {
    ...{ ...started, tenant, statusesOf },
    /** Makes a subscription that is held for an hour, with deliveries that wait. */
    hold: async (path: string, count: number) => {
      receiver.behave(() => (res) => res.writeHead(503, { "retry-after": "3600" }).end());
      const { id } = await tenant.subscribe(`${receiver.url}${path}`);
      for (let number = 0; number < count; number += 1) await webhooks.emit(tenant.tenantId, { number });
      await until("the hold", async () => {
        const { health } = (await tenant.owner().get(`/v1/webhooks/subscriptions/${id}`)).body.data;
        return health.heldUntil !== null && health.waiting === count;
      });
      return id;
    },
    /** Makes the deliveries of a subscription older than the bound. */
    makeOld: (id: string) =>
      webhooks.pool.query(
        "update deliveries set created_at = now() - $2 * interval '1 day' where subscription_id = $1",
        [id, DAYS_MAX + 1],
      ),
    /** Waits until the bounds have been checked once more: another tenant's old delivery has expired. */
    untilLooked: async () => {
      const witness = webhooks.tenant();
      const { id } = await witness.subscribe(`${receiver.url}/witness`);
      await webhooks.pool.query(
        "update subscriptions set held_until = now() + interval '1 hour' where id = $1",
        [id],
      );
      await webhooks.emit(witness.tenantId);
      await until("the witness", async () => (await witness.deliveries(id)).length === 1);
      await webhooks.pool.query(
        "update deliveries set created_at = now() - interval '1 year' where subscription_id = $1",
        [id],
      );
      await witness.untilDelivery(id, "failed");
    },
    [Symbol.asyncDispose]: started.stop,
  };
}

test("a delivery that a pause held back for longer than the bound is sent after the resume", async () => {
  await using started = await start();
  const { receiver, tenant, webhooks } = started;
  const id = await started.hold("/paused", 3);
  await tenant.setActive(id, false);
  await until(
    "the pause",
    async () => (await webhooks.pool.query("select from reconciliations")).rowCount === 0,
  );
  await started.makeOld(id);
  await tenant.setActive(id, true);
  await started.untilLooked();
  expect(await started.statusesOf(id)).not.toContain("failed");
  receiver.behave(() => 200);
  await tenant.owner().post(`/v1/webhooks/subscriptions/${id}/retry-waiting`, {});
  await until("all to be delivered", async () =>
    (await started.statusesOf(id)).every((status: string) => status === "delivered"),
  );
});

test("a delivery that expired is sent when it is redelivered, and then has the outcome of its attempts", async () => {
  await using started = await start();
  const { receiver, tenant } = started;
  const id = await started.hold("/expired", 1);
  await started.makeOld(id);
  const expired = await tenant.untilDelivery(id, "failed");
  expect(expired).toMatchObject({ outcome: "expired" });
  const redelivered = await tenant.owner().post(`/v1/webhooks/deliveries/${expired.id}/redeliver`);
  expect(redelivered).toMatchObject({ status: 202, body: { data: { status: "pending", attemptCount: 0 } } });
  await started.untilLooked();
  expect(await tenant.delivery(expired.id)).toMatchObject({ status: "pending", outcome: "http_status" });
  receiver.behave(() => 200);
  await tenant.owner().post(`/v1/webhooks/subscriptions/${id}/retry-waiting`, {});
  await tenant.untilDelivery(id, "delivered");
  expect(await tenant.delivery(expired.id)).toMatchObject({ status: "delivered", outcome: "delivered" });
});

test("what is paused but not yet reconciled neither expires nor overflows", async () => {
  await using started = await start({ WEBHOOKS_WAITING_MAX: "2" });
  const { tenant, webhooks } = started;
  const id = await started.hold("/pausing", 2);
  const [{ id: deliveryId }] = await tenant.deliveries(id);
  // Does not request a reconciliation, unlike the API.
  await webhooks.pool.query("update subscriptions set active = false where id = $1", [id]);
  await webhooks.copyDelivery(deliveryId, 3, { lockedFor: null });
  await started.makeOld(id);
  await started.untilLooked();
  expect(await started.statusesOf(id)).toHaveLength(5);
  expect(await started.statusesOf(id)).not.toContain("failed");
});

test("what is too many is taken from the endpoint with the most waiting, and is in the ledger and the dead letters", async () => {
  await using started = await start({ WEBHOOKS_WAITING_MAX: "5" });
  const { webhooks, receiver, tenant } = started;
  const small = await started.hold("/small", 2);
  const { id: large } = await tenant.subscribe(`${receiver.url}/large`, ["media.uploaded"]);
  await webhooks.pool.query("update subscriptions set held_until = now() + interval '1 hour' where id = $1", [
    large,
  ]);
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
  await started.makeOld(small);
  await until("the expiry", async () =>
    (await started.statusesOf(small)).every((status: string) => status === "failed"),
  );
  expect((await started.statusesOf(large)).filter((status: string) => status === "failed")).toHaveLength(1);

  const { rows } = await webhooks.pool.query(
    "select subscription_id as id, reason, count(*)::integer from dead_letters group by 1, 2 order by reason desc",
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
