// Recovers a subscription after its receiver was down: only deliveries that failed within a period are sent again. Recoveries,
// redrives, redeliveries and deletions at the same time, and during attempts, cause no deadlock.
import { randomInt, randomUUID } from "node:crypto";
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { deadLetters } from "../src/operate.ts";
import { failDeliveries } from "./support/failed-deliveries.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf } from "./support/webhooks.ts";

const LONG_AGO = "2020-01-01T00:00:00Z";

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

const recover = (subscriptionId: string, body: object) => tenant.act(subscriptionId, "recover", body);
const sentIds = () => receiver.sent("x-service-delivery");
const MEDIA = { type: "media.uploaded" };
const failed = (count: number) => failDeliveries({ webhooks, receiver, tenant }, count, MEDIA);
const completedAt = async (deliveryId = ""): Promise<string> =>
  (await tenant.delivery(deliveryId)).completedAt;

test("sends every failed delivery again with a new set of attempts, and they are no longer dead letters", async () => {
  const { id, deliveryIds } = await failed(5);
  const dead = () => deadLetters.list(webhooks.db, { subscription: id });
  expect(await dead()).toHaveLength(5);
  const { status, body } = await recover(id, { since: LONG_AGO });
  expect([status, body.data]).toEqual([202, { id: expect.any(String), matched: 5, requeued: 5 }]);
  expect(await dead()).toEqual([]);
  await tenant.untilAll(id, "delivered");
  expect(sentIds().sort()).toEqual([...deliveryIds].sort());
  expect(receiver.sent("x-service-attempt")).toEqual(Array(5).fill("1"));
  expect((await webhooks.auditEntries(tenant.tenantId, id)).at(-1)).toMatchObject({
    action: "webhook_recovery.started",
    data: {
      target: { type: "webhook_subscription", id },
      changes: { recoveryId: body.data.id, since: "2020-01-01T00:00:00.000Z", until: null, matched: 5 },
    },
  });
  expect((await recover(id, { since: LONG_AGO })).body.data).toMatchObject({ matched: 0, requeued: 0 });
});

test("can be read: what it matched, how far it has come and when it finished", async () => {
  const { id } = await failed(3);
  const { body } = await recover(id, { since: LONG_AGO });
  const path = `/v1/webhooks/recoveries/${body.data.id}`;
  const finished = await until("its end", async () => {
    const { data } = (await tenant.owner().get(path)).body;
    return data.finishedAt !== null && data;
  });
  expect(finished).toEqual({
    ...{ id: body.data.id, subscriptionId: id, since: "2020-01-01T00:00:00.000Z" },
    ...{ until: expect.any(String), matched: 3, requeued: 3 },
    ...{ createdAt: expect.any(String), finishedAt: expect.any(String) },
  });
  const viewer = webhooks.as({ tenantId: tenant.tenantId, role: "viewer" });
  expect((await viewer.get(path)).body.data).toEqual(finished);
  // As after a crash between two batches.
  await webhooks.set("replays", body.data.id, "requeued = 1, finished_at = null");
  expect((await viewer.get(path)).body.data).toEqual({ ...finished, requeued: 1, finishedAt: null });
  expect((await webhooks.tenant().owner().get(path)).status).toBe(404);
  expect((await viewer.get(`/v1/webhooks/recoveries/${randomUUID()}`)).status).toBe(404);
});

test("covers deliveries that failed at since or later and before until", async () => {
  const { id, deliveryIds } = await failed(5);
  const since = await completedAt(deliveryIds[1]);
  const before = await completedAt(deliveryIds[3]);
  const { body } = await recover(id, { since, until: before });
  expect(body.data).toMatchObject({ matched: 2, requeued: 2 });
  await until("both", () => sentIds().length === 2);
  expect(sentIds().sort()).toEqual(deliveryIds.slice(1, 3).sort());
  await until("both delivered", async () => {
    const left = (await tenant.statuses(id)).filter((status) => status === "failed");
    return left.length === 3;
  });
});

test("only counts as a dry run", async () => {
  const { id } = await failed(3);
  const before = await tenant.deliveries(id);
  const { status, body } = await recover(id, { since: LONG_AGO, dryRun: true });
  expect([status, body.data]).toEqual([202, { id: null, matched: 3, requeued: 0 }]);
  const stale = await tenant.act(id, "recover", { since: LONG_AGO, dryRun: true }, { "if-match": '"9"' });
  expect(stale.status).toBe(412);
  expect(await tenant.deliveries(id)).toEqual(before);
  expect(await deadLetters.list(webhooks.db, { subscription: id })).toHaveLength(3);
  const actions = (await webhooks.auditEntries(tenant.tenantId, id)).map(({ action }) => action);
  expect(actions).toEqual(["webhook_subscription.created"]);
});

test("does not change delivered or open deliveries, nor those of another subscription", async () => {
  const other = await failed(2);
  await tenant.change(other.id, { events: ["media.processed"] });
  const { id, deliveryIds } = await failed(1);
  await tenant.emit({}, MEDIA);
  await until("one delivered", async () => (await tenant.statuses(id)).includes("delivered"));
  receiver.behave(() => "hang");
  await tenant.emit({}, MEDIA);
  await until("an attempt in progress", () => sentIds().length === 2);
  receiver.behave(() => 200);
  receiver.received.length = 0;
  expect((await recover(id, { since: LONG_AGO })).body.data).toMatchObject({ matched: 1, requeued: 1 });
  const status = async () => (await tenant.delivery(deliveryIds[0] ?? "")).status;
  await until("the failed one", async () => (await status()) === "delivered");
  expect(sentIds()).toEqual(deliveryIds);
  expect(await tenant.statuses(other.id)).toEqual(["failed", "failed"]);
});

test("does not send a delivery again that fails again, also when it continues after a crash", async () => {
  const { id } = await failed(4);
  receiver.behave(() => 500);
  const { body } = await recover(id, { since: LONG_AGO });
  const finishedAt = async () => {
    const rows = await webhooks.query("select * from replays where id = $1", body.data.id);
    expect(rows[0]).toMatchObject({ matched: 4, requeued: 4 });
    return rows[0].finished_at as Date | null;
  };
  await until(
    "all failed",
    async () => (await deadLetters.list(webhooks.db, { subscription: id })).length === 4,
  );
  expect(receiver.received).toHaveLength(8);
  const unfinished = "status = 'running', has_work = true, finished_at = null";
  await webhooks.set("replays", body.data.id, `${unfinished}, created_at = now() - interval '5 minutes'`);
  await until("its end", finishedAt);
  expect(receiver.received).toHaveLength(8);
  expect(await tenant.statuses(id)).toEqual(Array(4).fill("failed"));
});

test.each([
  ["no since", {}, "since"],
  ["a since that is not a time", { since: "yesterday" }, "since"],
  ["an until that is not a time", { since: LONG_AGO, until: "now" }, "until"],
  ["an until equal to since", { since: LONG_AGO, until: LONG_AGO }, "until"],
  ["an until before since", { since: LONG_AGO, until: "2019-01-01T00:00:00Z" }, "until"],
  ["a since in the future", { since: "2999-01-01T00:00:00Z" }, "since"],
  ["dryRun as text", { since: LONG_AGO, dryRun: "true" }, "dryRun"],
])("is refused with %s", async (_, body, path) => {
  const { id } = await tenant.subscribe("/hook");
  const refusal = await recover(id, body);
  expect([refusal.body.error.code, ...faultsOf(refusal)]).toEqual(["validation_error", 422, path]);
});

test("every deletion during attempts succeeds, and no open delivery is left", async () => {
  receiver.behave(() => (randomInt(2) === 0 ? 200 : 500));
  const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
  const ids = await Promise.all(paths.map(async (path) => (await tenant.subscribe(path)).id));
  const emitting = tenant.emitMany(30);
  await receiver.waitFor("the first attempt", ({ path }) => path === "/0");
  const statuses = await Promise.all(
    ids.map(async (id) => {
      await sleep(randomInt(700));
      return (await tenant.unsubscribe(id)).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  await emitting;
  await webhooks.untilNone("select from deliveries where tenant_id = $1", tenant.tenantId);
  expect(await webhooks.deadlocks()).toBe(0);
});

test("a redrive, recoveries, redeliveries and a deletion succeed at the same time", async () => {
  receiver.behave(() => 500);
  const oneTenant = async () => {
    const own = webhooks.tenant();
    const { id } = await own.subscribe("/fails");
    await own.emitMany(10);
    await own.untilAll(id, "failed", 10);
    const deliveries = await own.deliveries(id);
    const since = new Date(Date.now() - 60_000).toISOString();
    // On a busy machine a request may wait too long for a connection. It gets 503, and has changed nothing.
    const post = (path: string, body?: object) =>
      until(path, async () => {
        const response = await own.owner().post(path, body);
        return response.status !== 503 && response;
      });
    const recover = () => post(`/v1/webhooks/subscriptions/${id}/recover`, { since });
    const responses = await Promise.all([
      deadLetters.redrive(webhooks.db, { subscription: id }).then(() => ({ status: 202 })),
      recover(),
      ...deliveries.map((one) => post(`/v1/webhooks/deliveries/${one.id}/redeliver`)),
      recover(),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 202));
    const [recovered, deleted] = await Promise.all([recover(), own.unsubscribe(id)]);
    expect([[202, 404].includes(recovered.status), deleted.status]).toEqual([true, 200]);
  };
  await Promise.all(Array.from({ length: 5 }, oneTenant));
  expect(await webhooks.deadlocks()).toBe(0);
});
