// Stopping while the broker or the database does not respond: it completes, and nothing is lost. A wait without its own
// deadline would last longer than a test may take.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import {
  type ConsumeResult,
  declareParkingQueue,
  EVENTS_EXCHANGE,
  startConsumer,
  startPublisher,
  startRelay,
} from "@tradepost/messaging";
import { createLogger, createMetrics } from "@tradepost/runtime";
import {
  createTestBroker,
  createTestDatabase,
  type FaultProxy,
  startFaultProxy,
  type TestBroker,
  type TestDatabase,
  until,
} from "@tradepost/testing";
import { createOutbox, type Outbox } from "./support/outbox-table.ts";
import { openRawBroker, type RawBroker } from "./support/raw-broker.ts";

const QUEUE = "work";
const logger = createLogger("test", "silent");

describe("stopping on a silent link", () => {
  let running: AsyncDisposableStack;
  let broker: TestBroker;
  let database: TestDatabase;
  let toBroker: FaultProxy;
  let toDatabase: FaultProxy;
  let outbox: Outbox;
  let raw: RawBroker;

  beforeEach(async () => {
    running = new AsyncDisposableStack();
    [broker, database] = await Promise.all([createTestBroker(), createTestDatabase()]);
    running.defer(broker.drop);
    running.defer(database.drop);
    toBroker = await startFaultProxy(broker.amqpUrl);
    running.defer(toBroker.stop);
    toDatabase = await startFaultProxy(database.url);
    running.defer(toDatabase.stop);
    outbox = await createOutbox(database.url);
    running.defer(outbox.close);
    raw = await openRawBroker(broker.amqpUrl);
    running.defer(raw.close);
  });

  afterEach(() => running.disposeAsync());

  const consume = (handle: () => Promise<ConsumeResult>) =>
    startConsumer({
      ...{ url: toBroker.url, name: "test.consumer", logger, queue: QUEUE, prefetch: 5, handle },
      declare: (channel) => declareParkingQueue(channel, QUEUE),
    });
  const relay = () =>
    startRelay({
      ...{ service: "test", databaseUrl: toDatabase.url, amqpUrl: toBroker.url, mustRoute: () => true },
      ...{ logger, metrics: createMetrics("test") },
    });
  const untilUp = (started: { ping(): Promise<void> }) =>
    until("the relay", () =>
      started.ping().then(
        () => true,
        () => false,
      ),
    );

  test("a consumer stops although the broker confirms nothing, and the messages in flight are redelivered", async () => {
    const gate = Promise.withResolvers<ConsumeResult>();
    let handled = 0;
    const consumer = consume(() => {
      handled += 1;
      return gate.promise;
    });
    await consumer.whenUp();
    await raw.send(QUEUE, "in flight");
    await until("the message", () => handled === 1);
    toBroker.blackhole();
    const stopping = consumer.stop();
    gate.resolve("ack");
    await stopping;
    expect(await raw.drain(QUEUE)).toEqual(["in flight"]);
  });

  test("a consumer stops although its handler never returns, and its message returns to the queue", async () => {
    let handled = 0;
    const consumer = consume(() => {
      handled += 1;
      return new Promise(() => {});
    });
    await consumer.whenUp();
    await raw.send(QUEUE, "stuck");
    await until("the message", () => handled === 1);
    await consumer.stop();
    expect(await raw.drain(QUEUE)).toEqual(["stuck"]);
  });

  test.each(["before it connects", "once it is up"])(
    "a publisher stops when the link falls silent %s",
    async (when) => {
      if (when === "before it connects") toBroker.blackhole();
      const publisher = startPublisher({
        ...{ url: toBroker.url, name: "test.publisher", logger },
        declare: (channel) => declareParkingQueue(channel, QUEUE),
      });
      if (when === "once it is up") {
        await publisher.whenUp();
        toBroker.blackhole();
      }
      const message = { exchange: "", routingKey: QUEUE, messageId: randomUUID(), mandatory: true };
      const outcome = publisher.publish({ ...message, content: Buffer.from("{}") });
      await publisher.stop();
      expect(await outcome).toBe("unavailable");
    },
  );

  test.each([
    ["broker", () => toBroker],
    ["database", () => toDatabase],
  ] as const)("a relay stops in the middle of a batch when the %s falls silent", async (_, to) => {
    await raw.channel.assertExchange(EVENTS_EXCHANGE, "topic", { durable: true });
    const arrived = await raw.capture(EVENTS_EXCHANGE, "#");
    const started = relay();
    await untilUp(started);
    to().blackhole();
    const [id] = await outbox.commit([{ aggregateId: randomUUID(), number: 1 }]);
    started.wake();
    await started.stop();
    await to().restore();
    // The next relay publishes the event.
    const next = relay();
    running.defer(() => next.stop());
    await until("the event", () => arrived.some(({ properties }) => properties.messageId === id));
    await until("an empty outbox", outbox.isEmpty);
  });
});
