// A backfill misses no event that was received while its subscription was created or changed (interface §18).
import { expect, test } from "@jest/globals";
import { type Receiver, until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";
import type { TestTenant, TestWebhooks } from "./support/webhooks.ts";

let webhooks: TestWebhooks;
let receiver: Receiver;
let tenant: TestTenant;

useWebhooks({}, (fixture) => {
  ({ webhooks, receiver, tenant } = fixture);
});

/** Holds back the insertion of an event that was already matched with the subscriptions. Returns its end. */
const holdInsertion = async () => {
  const client = await webhooks.pool.connect();
  await client.query("begin");
  await client.query("lock table events in exclusive mode");
  await webhooks.emit(tenant.tenantId);
  await until("the event to wait for the lock", async () => {
    const { rowCount } = await webhooks.pool.query(
      "select from pg_locks where relation = 'events'::regclass and not granted",
    );
    return rowCount === 1;
  });
  return async () => {
    await client.query("commit");
    client.release();
  };
};

const backfill = async (id: string) =>
  (
    await tenant
      .owner()
      .post(`/v1/webhooks/subscriptions/${id}/replays`, { since: "2020-01-01T00:00:00Z", include: "missing" })
  ).body.data;
const replay = async (id: string) => (await tenant.owner().get(`/v1/webhooks/replays/${id}`)).body.data;

test("an event that is being stored while the subscription is created is sent", async () => {
  const release = await holdInsertion();
  const { id } = await tenant.subscribe(`${receiver.url}/hook`);
  await sendsOnceReleased(id, release);
});

test("an event that is being stored while the subscription gets its type is sent", async () => {
  const { id } = await tenant.subscribe(`${receiver.url}/hook`, ["redirect.removed"]);
  const release = await holdInsertion();
  await tenant.owner().patch(`/v1/webhooks/subscriptions/${id}`, { events: ["redirect.added"] });
  await sendsOnceReleased(id, release);
});

const sendsOnceReleased = async (id: string, release: () => Promise<void>) => {
  const { id: replayId } = await backfill(id);
  const before = await replay(replayId);
  await release();
  expect(before).toMatchObject({ status: "running", requeued: 0 });
  await tenant.untilDelivery(id, "delivered");
  await until("the end", async () => (await replay(replayId)).status === "finished");
  expect(await replay(replayId)).toMatchObject({ matched: 1, requeued: 1, skipped: 0 });
};
