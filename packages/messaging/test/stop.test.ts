// Stopping while the broker or the database does not respond: it completes, and nothing is lost. A wait without its own
// deadline would last longer than a test may take.
import { randomUUID } from "node:crypto";
import {
  type ConsumeResult,
  declareParkingQueue,
  EVENTS_EXCHANGE,
  startPublisher,
} from "@tradepost/messaging";
import { startFaultProxy, until } from "@tradepost/testing";
import {
  logger,
  openBroker,
  openConsumer,
  openOneRelay,
  openOutbox,
  testWith,
} from "./support/open-servers.ts";

const QUEUE = "work";

// The tests run at the same time, because they mostly wait.
const test = testWith(setUp);

describe("stopping on a silent link", () => {
  test("a consumer stops although the broker confirms nothing, and the messages in flight are redelivered", async (fixture) => {
    const { toBroker, raw, consuming } = fixture;
    const gate = Promise.withResolvers<ConsumeResult>();
    const consumer = await consuming("in flight", () => gate.promise);
    toBroker.blackhole();
    const stopping = consumer.stop();
    gate.resolve("ack");
    await stopping;
    expect(await raw.drain(QUEUE)).toEqual(["in flight"]);
  });

  test("a consumer stops although its handler never returns, and its message returns to the queue", async (fixture) => {
    const { raw, consuming } = fixture;
    const consumer = await consuming("stuck", () => new Promise(() => {}));
    await consumer.stop();
    expect(await raw.drain(QUEUE)).toEqual(["stuck"]);
  });

  for (const when of ["before it connects", "once it is up"])
    test(`a publisher stops when the link falls silent ${when}`, async ({ toBroker }) => {
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
    });

  for (const silent of ["broker", "database"])
    test(`a relay stops in the middle of a batch when the ${silent} falls silent`, async (fixture) => {
      const { outbox, raw, relay, toBroker, toDatabase } = fixture;
      const link = silent === "broker" ? toBroker : toDatabase;
      const arrived = await raw.capture(EVENTS_EXCHANGE, "#");
      const hasArrived = (id: string | undefined) =>
        arrived.some(({ properties }) => properties.messageId === id);
      const started = relay();
      // The relay publishes once the consumer of its replay queue is up too.
      const [first] = await outbox.commit([{ aggregateId: randomUUID(), number: 1 }]);
      await until("the first event", () => hasArrived(first));
      await until("an empty outbox", outbox.isEmpty);
      link.blackhole();
      const [id] = await outbox.commit([{ aggregateId: randomUUID(), number: 2 }]);
      started.wake();
      await started.stop();
      await link.restore();
      // The next relay publishes the event.
      relay();
      await until("the event", () => hasArrived(id));
      await until("an empty outbox", outbox.isEmpty);
    });
});

/** A database, a broker and proxies to them for one test. */
async function setUp(ended: AsyncDisposableStack) {
  const [{ database, outbox }, { proxy: toBroker, raw }] = await Promise.all([
    openOutbox(ended),
    openBroker(ended),
  ]);
  const toDatabase = await startFaultProxy(database.url);
  ended.defer(toDatabase.stop);

  /** Resolves with a consumer that handles a message with this content. */
  const consuming = async (content: string, handle: () => Promise<ConsumeResult>) => {
    const handling = Promise.withResolvers<void>();
    const consumer = openConsumer(ended, {
      url: toBroker.url,
      queue: QUEUE,
      declare: (channel) => declareParkingQueue(channel, QUEUE),
      handlersTimeoutMs: 1_000,
      handle: () => {
        handling.resolve();
        return handle();
      },
    });
    await consumer.whenUp();
    await raw.send(QUEUE, content);
    await handling.promise;
    return consumer;
  };
  const relay = () => openOneRelay(ended, { database: toDatabase, amqpUrl: toBroker.url });
  return { toBroker, toDatabase, outbox, raw, consuming, relay };
}
