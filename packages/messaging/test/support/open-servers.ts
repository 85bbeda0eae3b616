// The broker and the database of one test. `ended` closes everything opened here, so that tests can run at the same time.
import { EVENTS_EXCHANGE, startConsumer, startRelay } from "@tradepost/messaging";
import { createLogger, createMetrics } from "@tradepost/runtime";
import { createTestBroker, createTestDatabase, startFaultProxy, until } from "@tradepost/testing";
import { type ConsumeMessage, connect } from "amqplib";
import { createOutbox } from "./outbox-table.ts";

export const logger = createLogger("test", "silent");

/** Tests that run at the same time, each with its own fixture. Everything that `setUp` defers is closed after the test. */
export function testWith<Fixture>(setUp: (ended: AsyncDisposableStack) => Promise<Fixture>) {
  return (title: string, run: (fixture: Fixture) => Promise<void>): void =>
    test.concurrent(title, async () => {
      await using ended = new AsyncDisposableStack();
      await run(await setUp(ended));
    });
}

/** For resources that the tests of a file share; closed after the last test. */
export function endedAfterAll(): AsyncDisposableStack {
  const ended = new AsyncDisposableStack();
  afterAll(() => ended.disposeAsync());
  return ended;
}

/** Creates a vhost with a fault proxy in front of it. The raw connection does not go through the proxy. */
export async function openBroker(ended: AsyncDisposableStack) {
  const broker = await createTestBroker();
  ended.defer(broker.drop);
  const proxy = await startFaultProxy(broker.amqpUrl);
  ended.defer(proxy.stop);
  const raw = await openRawBroker(broker.amqpUrl);
  ended.defer(raw.close);
  return { broker, proxy, raw };
}

export async function openOutbox(ended: AsyncDisposableStack) {
  const database = await createTestDatabase();
  ended.defer(database.drop);
  const outbox = await createOutbox(database.url);
  ended.defer(outbox.close);
  return { database, outbox };
}

type RelayOptions = Parameters<typeof startRelay>[0];
type ConsumerOptions = Parameters<typeof startConsumer>[0];

export function openOneRelay(
  ended: AsyncDisposableStack,
  options: Pick<RelayOptions, "database" | "amqpUrl"> & Partial<RelayOptions>,
) {
  const metrics = createMetrics("test");
  const relay = startRelay({ service: "test", mustRoute: () => true, logger, metrics, ...options });
  ended.defer(relay.stop);
  return relay;
}

export function openConsumer(
  ended: AsyncDisposableStack,
  options: Pick<ConsumerOptions, "url" | "queue" | "declare" | "handle"> & Partial<ConsumerOptions>,
) {
  const replicated = async () => {};
  const consumer = startConsumer({ name: "test.consumer", logger, prefetch: 5, replicated, ...options });
  ended.defer(consumer.stop);
  return consumer;
}

/** Starts a relay whose broker is behind the proxy. `arrived` are the messages of orders, or all messages, that it publishes. */
export async function openRelay(
  ended: AsyncDisposableStack,
  options: Partial<RelayOptions> = {},
  captured: readonly [pattern: string, wanted?: "all"] = ["order.#"],
) {
  const [{ database, outbox }, { proxy, raw }] = await Promise.all([openOutbox(ended), openBroker(ended)]);
  const arrived = await raw.capture(EVENTS_EXCHANGE, ...captured);
  const start = () => openOneRelay(ended, { database, amqpUrl: proxy.url, ...options });
  const arrivedIds = () => arrived.map(({ properties }): string => properties.messageId);
  return { proxy, raw, outbox, arrived, arrivedIds, start, relay: start() };
}

const END = "the end";

/** A plain connection to the broker, independent of the code under test. */
export async function openRawBroker(amqpUrl: string) {
  const connection = await connect(amqpUrl);
  const channel = await connection.createConfirmChannel();
  const send = async (queue: string, content: string, messageId = content) => {
    channel.sendToQueue(queue, Buffer.from(content), { messageId, persistent: true });
    await channel.waitForConfirms();
  };
  return {
    send,
    channel,
    connection,
    /**
     * Collects the messages that the exchange routes by `pattern` from now on, in order of arrival. Replayed messages, such
     * as after a relay started on an empty broker, are left out unless `wanted` is "all".
     */
    capture: async (exchange: string, pattern: string, wanted: "first" | "all" = "first") => {
      const { queue } = await channel.assertQueue("", { exclusive: true });
      await channel.bindQueue(queue, exchange, pattern);
      const messages: ConsumeMessage[] = [];
      const collect = (message: ConsumeMessage | null) => {
        if (message === null) return;
        if (wanted === "all" || message.properties.headers?.replayed !== true) messages.push(message);
      };
      await channel.consume(queue, collect, { noAck: true });
      return messages;
    },
    ready: async (queue: string) => (await channel.checkQueue(queue)).messageCount,
    /**
     * Removes all messages from a queue, also those that are being returned to it, and returns their contents. It sends an end
     * marker and reads up to that.
     */
    drain: async (queue: string) => {
      await send(queue, END);
      const contents: string[] = [];
      await until("the end of the queue", async () => {
        const message = await channel.get(queue, { noAck: true });
        const content = message === false ? null : message.content.toString();
        if (content !== null && content !== END) contents.push(content);
        return content === END;
      });
      return contents;
    },
    close: () => connection.close(),
  };
}
