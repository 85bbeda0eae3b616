// Replays send the failed, the missing or all events of a period again, behind live traffic (interface §18).
import { randomUUID } from "node:crypto";
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { deadLetters } from "../src/operate.ts";
import { exampleData } from "./support/example-data.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf } from "./support/webhooks.ts";

const LONG_AGO = "2020-01-01T00:00:00Z";

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

const replay = (id: string) => tenant.get(`replays/${id}`);
const cancel = (id: string) => tenant.owner().delete(`/v1/webhooks/replays/${id}`);
const untilFinished = (id: string) =>
  until("the end of the replay", async () => (await replay(id)).status === "finished" && (await replay(id)));
/** Starts a replay and waits until it has finished. Returns its id. */
const replayed = async (subscriptionId: string, include: string): Promise<string> => {
  const { body } = await tenant.replay(subscriptionId, include);
  await untilFinished(body.data.id);
  return body.data.id;
};
const sent = () =>
  receiver.received.map(({ headers }) => ({
    delivery: String(headers["x-service-delivery"]),
    event: String(headers["x-service-event-id"]),
    replay: headers["x-service-replay"],
  }));
const statuses = async (subscriptionId: string) => (await tenant.statuses(subscriptionId)).sort();

const expectRefused = async (subscriptionId: string) => {
  const { status, body } = await tenant.replay(subscriptionId, "failed");
  expect([status, body.error.code]).toEqual([409, "replay_running"]);
};

/** Makes the replay look running or finished. */
const setRunning = (replayId: string, isRunning: boolean) =>
  webhooks.set(
    "replays",
    replayId,
    `status = '${isRunning ? "running" : "finished"}', has_work = ${isRunning}`,
  );

/** Publishes events and waits until they have been fanned out. */
const emit = async (count: number, more: Record<string, unknown> = {}) => {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const data = exampleData("redirect.added", { id: randomUUID(), from: `/${number}` });
    ids.push(await tenant.emitAndStore({}, { data, ...more }));
  }
  return ids;
};

/** A subscription with this many failed deliveries. */
const failed = async (count: number) => {
  receiver.behave(() => 500);
  const { id } = await tenant.subscribe("/hook");
  const eventIds = await emit(count);
  await tenant.untilAll(id, "failed", count);
  receiver.behave(() => 200);
  receiver.received.length = 0;
  return { id, eventIds };
};

test("of what is missing make deliveries of events from before the subscription, once", async () => {
  const eventIds = await emit(3);
  await emit(1, { type: "redirect.removed" });
  const { id } = await tenant.subscribe("/hook");
  expect((await tenant.replay(id, "missing", { dryRun: true })).body.data).toEqual({
    ...{ matched: 3, requeued: 0, skipped: 0 },
  });
  const { status, body } = await tenant.replay(id, "missing");
  expect([status, body.data]).toEqual([
    202,
    {
      ...{
        id: expect.any(String),
        subscriptionId: id,
        include: "missing",
        since: "2020-01-01T00:00:00.000Z",
      },
      ...{ until: expect.any(String), status: expect.stringMatching(/running|finished/), matched: 3 },
      ...{ requeued: expect.any(Number), skipped: 0, createdAt: expect.any(String) },
      finishedAt: body.data.status === "finished" ? expect.any(String) : null,
    },
  ]);
  await tenant.untilAll(id, "delivered", 3);
  expect(sent().map(({ event }) => event)).toEqual(expect.arrayContaining(eventIds));
  expect(sent().every(({ replay }) => replay === body.data.id)).toBe(true);
  const [first] = await tenant.deliveries(id);
  const { request } = await tenant.delivery(first.id);
  expect(request.headers["X-service-Replay"]).toBe(body.data.id);
  expect(await untilFinished(body.data.id)).toMatchObject({ matched: 3, requeued: 3, skipped: 0 });
  expect((await tenant.replay(id, "missing")).body.data).toMatchObject({ matched: 0 });
  const { subscriptions } = await tenant.get(`events/${eventIds[0]}`);
  expect(subscriptions).toMatchObject([{ matched: true, reason: null }]);
});

test("of everything send what was delivered again under the same ids, and each only once", async () => {
  const { id } = await tenant.subscribe("/hook");
  await emit(2);
  await tenant.untilAll(id, "delivered", 2);
  const before = sent();
  receiver.received.length = 0;
  const { body } = await tenant.replay(id, "all");
  await until("both again", () => receiver.received.length === 2);
  const ids = (of: typeof before) => of.map(({ delivery }) => delivery).sort();
  expect(ids(sent())).toEqual(ids(before));
  expect(before.every(({ replay }) => replay === undefined)).toBe(true);
  await untilFinished(body.data.id);
  // As after a crash just before the last batch was committed.
  await tenant.untilAll(id, "delivered", 2);
  await setRunning(body.data.id, true);
  await webhooks.set("replays", body.data.id, "created_at = now() - interval '5 minutes'");
  receiver.received.length = 0;
  expect((await tenant.redeliver(before[0]?.delivery ?? "")).status).toBe(202);
  await untilFinished(body.data.id);
  await until("three requests", () => receiver.received.length === 3);
  expect(sent().filter(({ replay }) => replay === undefined)).toHaveLength(1);
});

test("of what failed can be narrowed by type, outcome, status code and resource", async () => {
  const { id, eventIds } = await failed(3);
  const matched = async (more: object) =>
    (await tenant.replay(id, "failed", { dryRun: true, ...more })).body.data.matched;
  expect(await matched({})).toBe(3);
  expect(await matched({ types: ["redirect.added"], outcome: "http_status", statusCode: 500 })).toBe(3);
  for (const none of [{ types: ["redirect.removed"] }, { outcome: "timeout" }, { statusCode: 503 }])
    expect([none, await matched(none)]).toEqual([none, 0]);
  const { resourceId } = await tenant.get(`events/${eventIds[0]}`);
  expect(await matched({ resourceId })).toBe(1);
  const { body } = await tenant.replay(id, "all", { resourceId });
  await until("one", () => receiver.received.length === 1);
  expect(sent()).toMatchObject([{ event: eventIds[0], replay: body.data.id }]);
  expect(await matched({})).toBe(2);
});

test("that are cancelled leave what was not sent as it was", async () => {
  const { id, eventIds } = await failed(4);
  const dead = async () => (await deadLetters.list(webhooks.db, { subscription: id })).length;
  receiver.behave(() => "hang");
  await tenant.change(id, { maxInFlight: 1 });
  const replayId = await replayed(id, "failed");
  await until("an attempt in progress", () => receiver.received.length === 1);
  const cancelled = await cancel(replayId);
  expect([cancelled.status, cancelled.body.data]).toMatchObject([
    200,
    { status: "cancelled", matched: 4, requeued: 1, skipped: 3, finishedAt: expect.any(String) },
  ]);
  expect(await statuses(id)).toEqual(["failed", "failed", "failed", "pending"]);
  expect(await dead()).toBe(3);
  expect(receiver.received).toHaveLength(1);
  expect((await cancel(replayId)).body.data).toEqual(cancelled.body.data);
  // The delivery that a replay made is gone, and its event is as if it had never been matched.
  await tenant.change(id, { active: false });
  const other = await tenant.subscribe("/other");
  await tenant.setActive(other.id, false);
  const backfill = await replayed(other.id, "missing");
  expect(await statuses(other.id)).toEqual(Array(4).fill("paused"));
  await cancel(backfill);
  expect(await statuses(other.id)).toEqual([]);
  const rows = await webhooks.query("select matched from events where id = any($1)", eventIds);
  expect(rows.map(({ matched }) => matched)).toEqual([1, 1, 1, 1]);
});

test("that are cancelled leave alone what a process that died may have sent", async () => {
  await emit(1);
  const { id } = await tenant.subscribe("/hook");
  receiver.behave(() => "hang");
  const replayId = await replayed(id, "missing");
  await until("an attempt in progress", () => receiver.received.length === 1);
  // As if its process had died, and its lock had expired.
  await webhooks.set("deliveries", id, "locked_until = now()");
  await tenant.setActive(id, false);
  const cancelled = await cancel(replayId);
  expect(cancelled.body.data).toMatchObject({ status: "finished", requeued: 1, skipped: 0 });
  expect(await statuses(id)).toEqual(["paused"]);
});

test("that are cancelled while they run skip the rest", async () => {
  const { id } = await failed(3);
  await tenant.setActive(id, false);
  const replayId = await replayed(id, "failed");
  // As if two more were left, and one was being sent.
  await setRunning(replayId, true);
  await webhooks.set("replays", replayId, "finished_at = null, matched = 5");
  const [{ id: oneOfThem }] = await tenant.deliveries(id);
  await webhooks.set("deliveries", oneOfThem, "enqueued_at = now()");
  const cancelled = await cancel(replayId);
  expect(cancelled.body.data).toMatchObject({
    ...{ status: "cancelled", matched: 5, requeued: 1, skipped: 4, finishedAt: expect.any(String) },
  });
  expect(await statuses(id)).toEqual(["failed", "failed", "paused"]);
});

test("that are cancelled take back what another transaction has locked, once it ends", async () => {
  const { id } = await failed(3);
  await tenant.setActive(id, false);
  const replayId = await replayed(id, "failed");
  // As a pause does to the deliveries of a batch.
  await using lock = await webhooks.begin("select from deliveries where subscription_id = $1 for update", id);
  const cancelling = cancel(replayId);
  await until("the cancellation", async () => (await replay(replayId)).status === "cancelled");
  expect(await statuses(id)).toEqual(Array(3).fill("paused"));
  await lock.commit();
  expect((await cancelling).body.data).toMatchObject({ status: "cancelled", requeued: 0, skipped: 3 });
  expect(await statuses(id)).toEqual(Array(3).fill("failed"));
});

test("wait behind live events of their own subscription", async () => {
  const { id } = await tenant.subscribe("/hook");
  await emit(20);
  await tenant.untilAll(id, "delivered", 20);
  receiver.received.length = 0;
  await tenant.change(id, { maxInFlight: 1 });
  const held: (() => void)[] = [];
  receiver.behave(() => (res) => void held.push(() => res.writeHead(200).end()));
  const replayId = await replayed(id, "all");
  await until("the first", () => held.length === 1);
  const [live] = await emit(1);
  held[0]?.();
  await until("the second", () => held.length === 2);
  expect(sent().map(({ replay, event }) => replay ?? event)).toEqual([replayId, live]);
  receiver.behave(() => 200);
  held[1]?.();
  await until("the rest", () => receiver.received.length === 21);
});

test("run one at a time for a subscription, and can be listed", async () => {
  const { id } = await failed(1);
  const first = await replayed(id, "failed");
  await setRunning(first, true);
  await expectRefused(id);
  expect((await tenant.replay(id, "failed", { dryRun: true })).status).toBe(200);
  await setRunning(first, false);
  const { body } = await tenant.replay(id, "failed");
  const listed = await tenant.get(`subscriptions/${id}/replays`);
  expect(listed).toMatchObject([{ id: body.data.id }, { id: first }]);
});

test("do not start during a recovery, which may start during a replay", async () => {
  const { id } = await failed(1);
  const recover = () => tenant.act(id, "recover", { since: LONG_AGO });
  const first = await replayed(id, "failed");
  await setRunning(first, true);
  const recovery = await recover();
  expect(recovery.status).toBe(202);
  await untilFinished(recovery.body.data.id);
  await setRunning(first, false);
  await setRunning(recovery.body.data.id, true);
  await expectRefused(id);
  expect((await recover()).status).toBe(202);
});

test("are refused with every field at fault", async () => {
  const { id } = await tenant.subscribe("/hook");
  const refused = await tenant.replay(id, "none", {
    ...{ since: "2026-11-24T10:00:00Z", until: "2026-11-24T09:00:00Z", statusCode: 20 },
    ...{ resourceId: "x", types: ["order.placed"], outcome: "bad", more: 1 },
  });
  const fields = ["include", "more", "outcome", "resourceId", "statusCode", "types[0]"];
  expect(faultsOf(refused)).toEqual([422, ...fields]);
  expect((await tenant.replay(id, "all", { until: LONG_AGO })).body.error.details).toEqual([
    { path: "until", message: "must be after since" },
  ]);
  const since = "2999-01-01T00:00:00Z";
  for (const more of [{}, { dryRun: true }, { until: "2999-02-01T00:00:00Z" }])
    expect((await tenant.replay(id, "all", { since, ...more })).body.error.message).toBe(
      "since: must be in the past",
    );
});

// The endpoints take turns, and one attempt of the replay may have started before the new event.
const AHEAD_MAX = 3;

test("that fill the lane of a process leave a turn for a new event of another subscription", async () => {
  const EVENTS = 60;
  // One attempt at a time in the proven lane.
  await webhooks.restart({ WEBHOOKS_CONCURRENCY: "2" });
  const replayed = await tenant.subscribe("/replayed");
  const live = await tenant.subscribe("/live", ["redirect.removed"]);
  await tenant.emit({}, { type: "redirect.removed" });
  await tenant.emitMany(EVENTS);
  await until("all deliveries", () => receiver.received.length === EVENTS + 1);
  for (const { id } of [replayed, live]) await tenant.untilAll(id, "delivered");
  receiver.received.length = 0;
  receiver.behave(() => (res) => void sleep(50).then(() => res.writeHead(200).end()));
  await tenant.replay(replayed.id, "all");
  await until("its first request", () => receiver.received.length > 0);
  const eventId = await tenant.emit({}, { type: "redirect.removed" });
  await until("the delivery", async () =>
    (await tenant.deliveries(live.id)).some((one) => one.eventId === eventId),
  );
  const before = receiver.received.length;
  await until("all requests", () => receiver.received.length === EVENTS + 1);
  const position = receiver.received.findIndex(({ path }) => path === "/live");
  expect(before).toBeLessThan(EVENTS - AHEAD_MAX);
  expect(position).toBeLessThan(before + AHEAD_MAX);
});
