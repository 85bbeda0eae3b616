// The retention of the delivery log: old days are dropped as a whole, except for open deliveries, dead letters and rows
// that younger rows still need.
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { v7 as uuidv7 } from "uuid";
import { applyRetention, startRetention } from "../src/log/retention.ts";
import { deadLetters } from "../src/operate.ts";
import {
  ageDelivery,
  insertOthers,
  makeDays,
  otherCounts,
  partitionCounts,
  rowCounts,
} from "./support/past-days.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const DAYS = 30;
const OLD = 40;
const YOUNG = 29;
const DAY_MS = 24 * 60 * 60 * 1_000;

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms" });

beforeEach(async () => {
  // Rows that the previous test left in a default partition would prevent new partitions.
  await webhooks.query("truncate events, deliveries, delivery_log, attempts, response_bodies, dead_letters");
  await dropOldDays();
  await makeDays(webhooks.pool, [OLD, DAYS + 1, DAYS, YOUNG]);
});

/** Emits an event whose id is this many days old. */
const emitAged = (daysAgo: number, data: Record<string, unknown>, type = "redirect.added") =>
  tenant.emit(data, { id: uuidv7({ msecs: Date.now() - daysAgo * DAY_MS }), type });

/** A delivery that ended this many days ago. Returns its id. */
const deliveryOf = async (daysAgo: number, status = "delivered", eventDaysAgo = daysAgo) => {
  const { id: subscription } = await tenant.subscribe("/hook", ["media.uploaded"]);
  await emitAged(eventDaysAgo, { daysAgo }, "media.uploaded");
  const { id } = await tenant.untilDelivery(subscription, status);
  await tenant.change(subscription, { events: ["redirect.removed"] });
  await age(id, daysAgo);
  return { id: id as string, subscription };
};
const age = (id: string, daysAgo: number) => ageDelivery(webhooks.pool, id, daysAgo);
/** Moves a delivery to a day whose partitions have been dropped. */
const ageAgain = async (id: string) => {
  await makeDays(webhooks.pool, [OLD], ["delivery_log", "attempts"]);
  await age(id, OLD);
};
const dropOldDays = () => applyRetention(webhooks.pool, DAYS);
const dataSent = () => receiver.bodies().map(({ data }) => data.redirect);

test("drops older days as whole partitions and does not change younger ones", async () => {
  const old = await deliveryOf(OLD);
  const young = await deliveryOf(YOUNG);
  const before = await partitionCounts(webhooks.pool);
  const dropped = await dropOldDays();
  const after = await partitionCounts(webhooks.pool);
  // Attempts, bodies and events are kept for one more day.
  expect(before).toEqual({
    delivery_log: after.delivery_log + 2,
    attempts: after.attempts + 1,
    response_bodies: after.response_bodies + 1,
    events: after.events + 1,
  });
  expect(dropped).toHaveLength(5);
  expect((await tenant.owner().get(`/v1/webhooks/deliveries/${old.id}`)).status).toBe(404);
  expect(await tenant.deliveries(old.subscription)).toEqual([]);
  const listed = { id: young.id, status: "delivered" };
  expect(await tenant.deliveries(young.subscription)).toMatchObject([listed]);
  expect(await tenant.delivery(young.id)).toMatchObject({
    status: "delivered",
    attemptCount: 1,
    attempts: [{ attempt: 1, outcome: "delivered", statusCode: 200, responseBody: "answered 200" }],
  });
  expect(await rowCounts(webhooks.pool, tenant.tenantId, DAYS + 1)).toEqual({
    older: { delivery_log: 0, attempts: 0, response_bodies: 0, events: 0 },
    younger: { delivery_log: 1, attempts: 1, response_bodies: expect.any(Number), events: 1 },
  });
  expect(await dropOldDays()).toEqual([]);
});

test("sends an old paused delivery with its data when it is resumed", async () => {
  const paused = await tenant.subscribe("/paused");
  const other = await tenant.subscribe("/other");
  await tenant.setActive(paused.id, false);
  await emitAged(OLD, { note: "grüß ✓", amount: 1 });
  const { id } = await tenant.untilDelivery(paused.id, "paused");
  const { id: otherDelivery } = await tenant.untilDelivery(other.id, "delivered");
  for (const one of [id, otherDelivery]) await age(one, OLD);
  await dropOldDays();
  expect(await tenant.deliveries(other.id)).toEqual([]);
  receiver.received.length = 0;
  await tenant.setActive(paused.id, true);
  expect(await tenant.untilDelivery(paused.id, "delivered")).toMatchObject({ id, attemptCount: 1 });
  expect(dataSent()).toEqual([{ note: "grüß ✓", amount: 1 }]);
  // It is dropped with the day on which it was delivered.
  expect(await dropOldDays()).toEqual([]);
  expect(await tenant.delivery(id)).toMatchObject({ status: "delivered" });
});

test("still lists, shows and redrives an old dead letter", async () => {
  receiver.behave(() => 500);
  const { id, subscription } = await deliveryOf(OLD, "failed");
  await dropOldDays();
  const filter = { tenant: tenant.tenantId };
  const [letter] = await deadLetters.list(webhooks.db, filter);
  expect(letter).toMatchObject({ deliveryId: id, subscriptionId: subscription });
  const found = await deadLetters.find(webhooks.db, id);
  expect(found).toMatchObject({ reason: "http_status 500", attempts: [] });
  receiver.behave(() => 200);
  receiver.received.length = 0;
  expect(await deadLetters.redrive(webhooks.db, filter)).toEqual({ matched: 1, redriven: 1 });
  expect(await tenant.untilDelivery(subscription, "delivered")).toMatchObject({ id, attemptCount: 1 });
  expect(dataSent()).toEqual([{ daysAgo: OLD }]);
  expect(await deadLetters.list(webhooks.db, filter)).toEqual([]);
});

test("keeps an event that a younger delivery needs, and deletes it with that delivery", async () => {
  const { id } = await deliveryOf(YOUNG, "delivered", OLD);
  await dropOldDays();
  receiver.received.length = 0;
  expect((await tenant.redeliver(id)).status).toBe(202);
  await until("it to be sent again", async () => (await tenant.delivery(id)).status === "delivered");
  expect(dataSent()).toEqual([{ daysAgo: YOUNG }]);
  const events = () => webhooks.query("select id from events where tenant_id = $1", tenant.tenantId);
  await ageAgain(id);
  expect(await events()).toHaveLength(1);
  await dropOldDays();
  expect(await events()).toEqual([]);
});

test("deletes old rows of the default partitions in batches and keeps the needed ones", async () => {
  const needed = await deliveryOf(OLD + 10, "delivered");
  await webhooks.query("update delivery_log set completed_at = now() where id = $1", needed.id);
  await insertOthers(webhooks.pool, tenant.tenantId, OLD + 10, 2_500);
  await insertOthers(webhooks.pool, tenant.tenantId, YOUNG - 9, 10);
  await dropOldDays();
  expect(await otherCounts(webhooks.pool, tenant.tenantId)).toEqual({
    ...{ delivery_log: 10, attempts: 10, response_bodies: 10 },
    // The delivery needs one of them.
    events: 11,
  });
});

test("keeps an event for a delivery of its tenant, not for one of another tenant with the same event id", async () => {
  const otherTenant = webhooks.tenant();
  const { id, subscription } = await deliveryOf(OLD + 10, "delivered");
  const [{ eventId }] = await tenant.deliveries(subscription);
  await webhooks.query("update delivery_log set completed_at = now() where id = $1", id);
  const copy = `insert into events_other
    select $1, id, type, occurred_at, request_id, data, received_at from events where id = $2`;
  await webhooks.query(copy, otherTenant.tenantId, eventId);
  await dropOldDays();
  const rows = await webhooks.query("select tenant_id from events where id = $1", eventId);
  expect(rows).toEqual([{ tenant_id: tenant.tenantId }]);
});

test("retries a failed deletion soon, although no day is left to be dropped", async () => {
  // No day is old enough to be dropped.
  await dropOldDays();
  await insertOthers(webhooks.pool, tenant.tenantId, OLD + 10, 3);
  const { pool, stop } = connectPostgres<Record<string, never>>({
    ...{ url: webhooks.databaseUrl, name: "test", connectionsMax: 1, statementTimeoutMs: 1_000 },
    logger: createLogger("test", "silent"),
  });
  await using holder = await webhooks.begin("lock table events_other in share mode");
  const retention = startRetention({ pool, days: DAYS, logger: createLogger("test", "silent") });
  try {
    // Events are deleted last.
    await until("the other rows to be deleted", async () => {
      const counts = await otherCounts(webhooks.pool, tenant.tenantId);
      return counts.delivery_log + counts.attempts + counts.response_bodies === 0;
    });
    await webhooks.untilSome("select from pg_locks where not granted and pid <> pg_backend_pid()");
    await holder.commit();
    await webhooks.untilNone("select from events_other where tenant_id = $1", tenant.tenantId);
  } finally {
    await retention.stop();
    await stop();
  }
});

test("redelivers a delivery of its last day while older days are dropped", async () => {
  const last = await deliveryOf(DAYS);
  const dropped = await deliveryOf(DAYS + 1);
  receiver.received.length = 0;
  const [, { status }] = await Promise.all([dropOldDays(), tenant.redeliver(last.id)]);
  expect(status).toBe(202);
  await until("it to be sent again", async () => (await tenant.delivery(last.id)).status === "delivered");
  expect(dataSent()).toEqual([{ daysAgo: DAYS }]);
  const { attempts } = await tenant.delivery(last.id);
  expect(attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual([1, 1]);
  expect((await tenant.redeliver(dropped.id)).status).toBe(404);
});

test("closed notices are deleted when the log of their time is, open ones are kept", async () => {
  const insert = `insert into notices (tenant_id, id, kind, subject, created_at, closed_at, facts)
    select $1, gen_random_uuid(), kind, kind, now() - interval '1 year', now() - days * interval '1 day', '{}'
      from (values ('old', ${OLD}), ('young', ${YOUNG}), ('open', null)) as notice (kind, days)`;
  await webhooks.query(insert, tenant.tenantId);
  await dropOldDays();
  const text = "select kind from notices where tenant_id = $1 order by kind";
  const rows = await webhooks.query(text, tenant.tenantId);
  expect(rows).toEqual([{ kind: "open" }, { kind: "young" }]);
});

/** Replays of this SQL query of their number, subscription, status, days since their end, and `has_work`. */
const insertReplays = (of: string, ...values: unknown[]) =>
  webhooks.query(
    `insert into replays (tenant_id, id, subscription_id, include, since, until, status, matched, finished_at, has_work)
     select $1, gen_random_uuid(), subscription, 'all', '2020-01-01', '2020-01-02', status, number,
            case when status <> 'running' then now() - days * interval '1 day' end, has_work
       from (${of}) as replay (number, subscription, status, days, has_work)`,
    tenant.tenantId,
    ...values,
  );
/** Applies the retention. Returns the numbers of the replays that are kept. */
const kept = async () => {
  await dropOldDays();
  const text = "select matched from replays where tenant_id = $1 order by matched";
  return (await webhooks.query(text, tenant.tenantId)).map(({ matched }) => matched);
};

test("an ended replay is deleted once its subscription has no delivery from before its end", async () => {
  const { id, subscription } = await deliveryOf(YOUNG);
  const { id: empty } = await tenant.subscribe("/hook", ["media.uploaded"]);
  const paused = await tenant.subscribe("/paused", ["media.uploaded"]);
  await tenant.setActive(paused.id, false);
  await emitAged(OLD, {}, "media.uploaded");
  const { id: open } = await tenant.untilDelivery(paused.id, "paused");
  await age(open, OLD + 1);
  await insertReplays(
    `values (1, $2::uuid, 'finished', ${YOUNG}, false), (2, $2, 'finished', ${OLD}, false),
            (3, $2, 'cancelled', ${OLD}, false), (4, $2, 'cancelled', ${OLD}, true), (5, $2, 'running', 0, true),
            (6, $3, 'finished', ${OLD}, false), (7, $4, 'finished', ${OLD}, false),
            (8, $4, 'finished', ${OLD + 5}, false)`,
    empty,
    paused.id,
    subscription,
  );
  // The delivery was created before the seventh replay ended, and ended later, on a day that is kept.
  const createdEarlier = "update delivery_log set created_at = now() - $2 * interval '1 day' where id = $1";
  await webhooks.query(createdEarlier, id, OLD + 1);
  expect(await kept()).toEqual([1, 4, 5, 6, 7]);
  await ageAgain(id);
  expect(await kept()).toEqual([1, 4, 5, 6]);
  await tenant.setActive(paused.id, true);
  await tenant.untilDelivery(paused.id, "delivered");
  await ageAgain(open);
  expect(await kept()).toEqual([1, 4, 5]);
});

test("ended replays are deleted in batches", async () => {
  const { id } = await tenant.subscribe("/hook");
  const days = `case when number % 500 = 0 then ${YOUNG} else ${OLD} end`;
  await insertReplays(
    `select number, $2::uuid, 'finished', ${days}, false from generate_series(1, 2500) as number`,
    id,
  );
  expect(await kept()).toEqual([500, 1_000, 1_500, 2_000, 2_500]);
});
