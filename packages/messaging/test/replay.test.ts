// Where the broker has lost what it had confirmed, everything that is kept goes out again: newest first, next to new events,
// in any time zone, once for each request.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import {
  declareParkingQueue,
  declareSubscribedQueue,
  EVENTS_EXCHANGE,
  type Relay,
  startConsumer,
  startRelay,
} from "@tradepost/messaging";
import { createLogger, createMetrics } from "@tradepost/runtime";
import {
  createTestBroker,
  createTestDatabase,
  type TestBroker,
  type TestDatabase,
  until,
} from "@tradepost/testing";
import { createOutbox, type Outbox, TENANT_ID, TRACEPARENT } from "./support/outbox-table.ts";
import { openRawBroker } from "./support/raw-broker.ts";

const QUEUE = "test.events";
const EVENTS = 700;
const logger = createLogger("test", "silent");

describe("a replay", () => {
  let database: TestDatabase;
  let broker: TestBroker;
  let outbox: Outbox;
  let running: AsyncDisposableStack;

  beforeEach(async () => {
    running = new AsyncDisposableStack();
    [database, broker] = await Promise.all([createTestDatabase(), createTestBroker()]);
    running.defer(broker.drop);
    running.defer(database.drop);
    outbox = await createOutbox(database.url);
    running.defer(outbox.close);
  });

  afterEach(() => running.disposeAsync());

  const relay = (): Relay => {
    const started = startRelay({
      service: "test",
      databaseUrl: database.url,
      amqpUrl: broker.amqpUrl,
      mustRoute: (type) => type !== "email.send",
      logger,
      metrics: createMetrics("test"),
    });
    running.defer(() => started.stop());
    return started;
  };

  /** A service that takes events from the exchange, and remembers their ids as they come, and which are replayed. */
  const consume = () => {
    const ids: string[] = [];
    const replayed: string[] = [];
    const consumer = startConsumer({
      url: broker.amqpUrl,
      name: "test.consumer",
      logger,
      queue: QUEUE,
      prefetch: 100,
      declare: async (channel, connection) => {
        await declareParkingQueue(channel, "test.poison");
        await declareSubscribedQueue(channel, connection, {
          queue: QUEUE,
          poisonQueue: "test.poison",
          exchange: EVENTS_EXCHANGE,
          routingKeys: ["#"],
        });
      },
      handle: async ({ messageId, headers }) => {
        ids.push(messageId ?? "");
        if (headers.replayed === true) replayed.push(messageId ?? "");
        return "ack";
      },
    });
    running.defer(() => consumer.stop());
    return { ids, replayed, whenUp: () => consumer.whenUp(), stop: () => consumer.stop() };
  };

  const commit = async (count = EVENTS) => {
    const aggregates = Array.from({ length: 200 }, () => randomUUID());
    return await outbox.commit(
      Array.from({ length: count }, (_, number) => ({
        aggregateId: aggregates[number % aggregates.length] ?? "",
        number,
      })),
    );
  };
  const untilPublished = () => until("an empty outbox", outbox.isEmpty);
  const isReplaying = async () => (await outbox.pool.query("select from replay")).rowCount === 1;
  const untilReplayed = () => until("the end of the replay", async () => !(await isReplaying()));
  const databaseName = () => new URL(database.url).pathname.slice(1);
  const askForReplay = async () => {
    const raw = await openRawBroker(broker.amqpUrl);
    raw.channel.publish("platform.replay", EVENTS_EXCHANGE, Buffer.from("{}"), { persistent: true });
    await raw.channel.waitForConfirms();
    await raw.close();
  };
  /** What the start of relay and consumer asked for is over. An event that nobody hears comes by the last replay only. */
  const untilNothingIsAsked = async (started: Relay, consumer: { ids: string[] }) => {
    const raw = await openRawBroker(broker.amqpUrl);
    await raw.channel.unbindQueue(QUEUE, EVENTS_EXCHANGE, "#");
    const [unheard = ""] = await outbox.commit([
      { aggregateId: randomUUID(), number: 1, type: "email.send" },
    ]);
    started.wake();
    await untilPublished();
    await raw.channel.bindQueue(QUEUE, EVENTS_EXCHANGE, "#");
    await raw.close();
    await askForReplay();
    await until("the last replay", () => consumer.ids.includes(unheard));
    await untilReplayed();
  };

  test("brings back what a wiped broker had, once it is there again, and then what is new", async () => {
    const first = consume();
    relay();
    const lost = await commit();
    await untilPublished();
    await first.stop();
    await broker.wipe();
    const fresh = await commit(10);
    const second = consume();
    await until("everything", () => new Set([...second.ids]).size === lost.length + fresh.length);
    await untilReplayed();
    expect(new Set(second.ids)).toEqual(new Set([...lost, ...fresh]));
    const replayed = new Set(second.replayed);
    expect(lost.filter((id) => !replayed.has(id))).toEqual([]);
  });

  test("is asked for by a consumer whose queue is gone", async () => {
    const first = consume();
    relay();
    // Declared and bound.
    await first.whenUp();
    await first.stop();
    const lost = await commit();
    await untilPublished();
    await broker.manage("DELETE", `/queues/${QUEUE}`);
    const second = consume();
    await until("everything", () => new Set(second.ids).size === lost.length);
    await untilReplayed();
  });

  test("goes on where a crash left it, and is the work of one of several relays", async () => {
    const only = consume();
    const first = relay();
    const ids = await commit();
    await until("them all", () => new Set(only.ids).size === ids.length);
    await untilNothingIsAsked(first, only);
    const before = only.ids.length;
    await outbox.pool.query(
      `insert into replay (until, begun_until, batch_events, before_published_at, before_id)
       select now(), now(), 10, published_at, id from published_events
        order by published_events.published_at desc, id desc offset 99 limit 1`,
    );
    const { rows } = await outbox.pool.query<{ event_id: string }>(
      `select event_id from published_events order by published_events.published_at desc, id desc offset 100`,
    );
    for (const one of [relay(), relay()]) one.wake();
    await untilReplayed();
    const again = () => only.ids.slice(before);
    await until("the rest again", () => again().length >= rows.length);
    expect(again().sort()).toEqual(rows.map(({ event_id }) => event_id).sort());
  });

  test("waits for a queue without sending over and over what needs none", async () => {
    const first = consume();
    relay();
    const aggregateId = randomUUID();
    await outbox.commit(
      Array.from({ length: 50 }, (_, number) => ({
        aggregateId: number % 2 ? randomUUID() : aggregateId,
        number,
        type: number % 2 ? "email.send" : "order.placed",
      })),
    );
    await untilPublished();
    await first.stop();
    await broker.wipe();
    const raw = await openRawBroker(broker.amqpUrl);
    await raw.channel.assertExchange(EVENTS_EXCHANGE, "topic", { durable: true });
    const emails = await raw.tap(EVENTS_EXCHANGE, "email.#", "all");
    await until("the replay to be held up", () => emails.length >= 25);
    const second = consume();
    await until("everything", () => new Set(second.ids).size === 50);
    await untilReplayed();
    expect(emails.length).toBeLessThanOrEqual(3 * 25);
    await raw.close();
  });

  test("does not take place where the broker is the one it was", async () => {
    const only = consume();
    const before = relay();
    const ids = await commit(20);
    await until("them all", () => new Set(only.ids).size === ids.length);
    await untilNothingIsAsked(before, only);
    await before.stop();
    const came = only.ids.length;
    const after = relay();
    const [last] = await outbox.commit([{ aggregateId: randomUUID(), number: 1 }]);
    after.wake();
    await until("one more", () => only.ids.length > came);
    expect(await isReplaying()).toBe(false);
    expect(only.ids.slice(came)).toEqual([last]);
  });

  test("covers events of the hour that the clock repeats, in another time zone, newest first", async () => {
    const only = consume();
    const first = relay();
    await until("the consumer", () => only.whenUp().then(() => true));
    await untilNothingIsAsked(first, only);
    await first.stop();
    await outbox.pool.query(`alter database ${databaseName()} set timezone = 'Europe/Berlin'`);
    // 01:00 to 03:00 local time takes three hours; most share their time with others.
    await outbox.pool.query(
      `insert into published_events (id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent,
                                     actor, data, published_at, size_bytes)
       select n, gen_random_uuid(), gen_random_uuid(), 'order.placed', $1, now(), 'request-1', $2,
              '{"type":"user","id":"u-1","name":"Ada"}', '{}',
              timestamptz '2026-10-24 23:00:00+00' + (n / 7) * interval '50 seconds', case when n % 2 = 0 then 2 end
         from generate_series(1, 1500) n`,
      [TENANT_ID, TRACEPARENT],
    );
    const came = only.ids.length;
    const { rows } = await outbox.pool.query<{ event_id: string }>(
      "select event_id from published_events order by published_events.published_at desc, id desc",
    );
    await outbox.pool.query("insert into replay (until) values (now())");
    relay();
    await untilReplayed();
    await until("all of them", () => only.ids.length >= came + rows.length);
    const again = only.ids.slice(came);
    expect([...again].sort()).toEqual(rows.map(({ event_id }) => event_id).sort());
    // The order of the batches, each of which is in the order of the commits.
    const batchOf = new Map(rows.map(({ event_id }, index) => [event_id, Math.floor(index / 100)]));
    expect(again.map((id) => batchOf.get(id))).toEqual(rows.map((_, index) => Math.floor(index / 100)));
  });

  test("keeps the order of an aggregate within a batch", async () => {
    const only = consume();
    const first = relay();
    const aggregateId = randomUUID();
    const ids = await outbox.commit(
      Array.from({ length: 20 }, (_, number) => ({ aggregateId, number: number + 1 })),
    );
    await until("them all", () => new Set(only.ids).size === ids.length);
    await untilNothingIsAsked(first, only);
    const came = only.ids.length;
    await outbox.pool.query("insert into replay (until) values (now())");
    await until("all of them again", () => only.ids.length >= came + 21);
    // The last is what the test itself waited for before.
    expect(only.ids.slice(came).filter((id) => ids.includes(id))).toEqual(ids);
  });

  test("begins anew for a request that comes while it runs", async () => {
    const only = consume();
    const first = relay();
    const ids = await commit();
    await until("them all", () => new Set(only.ids).size === ids.length);
    await untilNothingIsAsked(first, only);
    const came = only.ids.length;
    const again = () => only.ids.slice(came);
    await outbox.pool.query("insert into replay (until) values (now())");
    await until("a part of them", () => again().length > 0);
    await askForReplay();
    const asked = () => outbox.pool.query("select from replay where begun_until <> until");
    await until("the request to be noted", async () => (await asked()).rowCount === 1);
    const newest = again()[0];
    const before = again().length;
    await untilReplayed();
    await until("everything since", () => new Set(again().slice(before)).size === ids.length + 1);
    expect(again().slice(before)).toContain(newest);
  });

  test("lets new events go first: a backlog of them is published before it goes on", async () => {
    const only = consume();
    const first = relay();
    const ids = await commit(2_000);
    await until("them all", () => new Set(only.ids).size === ids.length);
    await untilNothingIsAsked(first, only);
    await outbox.pool.query("insert into replay (until) values (now())");
    const came = only.replayed.length;
    await until("the replay to run", () => only.replayed.length > came);
    const fresh = await commit(200);
    first.wake();
    await until("the new ones", () => fresh.every((id) => only.ids.includes(id)));
    // It takes seconds, new events milliseconds.
    expect(await isReplaying()).toBe(true);
  });
});
