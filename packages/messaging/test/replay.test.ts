// What the relay does where the broker has lost what it had confirmed: everything that is kept goes out again, in order,
// before anything new.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import {
  declareFedQueue,
  declareKeptQueue,
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
import { createOutbox, type Outbox } from "./support/outbox-table.ts";
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

  /** A service that takes events from the exchange, and remembers their ids as they come. */
  const consume = () => {
    const ids: string[] = [];
    const consumer = startConsumer({
      url: broker.amqpUrl,
      name: "test.consumer",
      logger,
      queue: QUEUE,
      prefetch: 100,
      declare: async (channel, connection) => {
        await declareKeptQueue(channel, "test.poison");
        await declareFedQueue(channel, connection, {
          queue: QUEUE,
          poisonQueue: "test.poison",
          exchange: EVENTS_EXCHANGE,
          routingKeys: ["#"],
        });
      },
      handle: async ({ messageId }) => {
        ids.push(messageId ?? "");
        return "ack";
      },
    });
    running.defer(() => consumer.stop());
    return { ids, whenUp: () => consumer.whenUp(), stop: () => consumer.stop() };
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
  const untilReplayed = () =>
    until(
      "the end of the replay",
      async () => (await outbox.pool.query("select from replay")).rowCount === 0,
    );

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
    // Of each aggregate, what was lost comes before what is new.
    const firstFresh = Math.min(...fresh.map((id) => second.ids.indexOf(id)));
    expect(lost.filter((id) => second.ids.indexOf(id) > firstFresh)).toEqual([]);
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
    relay();
    const ids = await commit();
    await until("them all", () => only.ids.length === ids.length);
    await untilReplayed();
    await outbox.pool.query(
      `insert into replay (until, after_published_at, after_id)
       select now(), published_at, id from published_events order by published_at, id offset 99 limit 1`,
    );
    const { rows } = await outbox.pool.query<{ event_id: string }>(
      "select event_id from published_events order by published_at, id offset 100",
    );
    for (const one of [relay(), relay()]) one.wake();
    await untilReplayed();
    // Some may come twice more, where a batch took too long to be finished.
    const again = () => new Set(only.ids.slice(ids.length));
    await until("the rest again", () => again().size >= rows.length);
    expect(again()).toEqual(new Set(rows.map(({ event_id }) => event_id)));
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
    const emails = await raw.tap(EVENTS_EXCHANGE, "email.#");
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
    await until("them all", () => only.ids.length === ids.length);
    await untilReplayed();
    await before.stop();
    const after = relay();
    const [last] = await outbox.commit([{ aggregateId: randomUUID(), number: 1 }]);
    after.wake();
    await until("one more", () => only.ids.length > ids.length);
    expect(only.ids).toEqual([...only.ids.slice(0, ids.length), last]);
  });
});
