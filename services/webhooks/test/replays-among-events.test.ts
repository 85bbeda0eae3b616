// A backfill misses no event that was received while its subscription was created or changed (interface §18).
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const { webhooks, receiver, tenant } = useWebhooks({});

/** Holds back the insertion of an event that was already matched with the subscriptions. */
const holdInsertion = async () => {
  const lock = await webhooks.begin("lock table events in exclusive mode");
  await webhooks.emit(tenant.tenantId);
  await until("the event to wait for the lock", async () => {
    const { rowCount } = await webhooks.pool.query(
      "select from pg_locks where relation = 'events'::regclass and not granted",
    );
    return rowCount === 1;
  });
  return lock;
};

const backfill = async (id: string) =>
  (
    await tenant
      .owner()
      .post(`/v1/webhooks/subscriptions/${id}/replays`, { since: "2020-01-01T00:00:00Z", include: "missing" })
  ).body.data;
const replay = async (id: string) => (await tenant.owner().get(`/v1/webhooks/replays/${id}`)).body.data;

test("an event that is being stored while the subscription is created is sent", async () => {
  await using lock = await holdInsertion();
  const { id } = await tenant.subscribe(`${receiver.url}/hook`);
  await sendsOnceReleased(id, lock);
});

test("an event that is being stored while the subscription gets its type is sent", async () => {
  const { id } = await tenant.subscribe(`${receiver.url}/hook`, ["redirect.removed"]);
  await using lock = await holdInsertion();
  await tenant.owner().patch(`/v1/webhooks/subscriptions/${id}`, { events: ["redirect.added"] });
  await sendsOnceReleased(id, lock);
});

const sendsOnceReleased = async (id: string, lock: { commit(): Promise<unknown> }) => {
  const { id: replayId } = await backfill(id);
  const before = await replay(replayId);
  await lock.commit();
  expect(before).toMatchObject({ status: "running", requeued: 0 });
  await tenant.untilDelivery(id, "delivered");
  await until("the end", async () => (await replay(replayId)).status === "finished");
  expect(await replay(replayId)).toMatchObject({ matched: 1, requeued: 1, skipped: 0 });
};
