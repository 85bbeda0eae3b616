// Consumes one queue on its own connection. A message is acknowledged only once its handler has returned and everything that the
// handler has read would survive a failover of the database (interface §21).
import { backoff, type Logger, type Metrics, settlesWithin, sleep } from "@tradepost/runtime";
import type { Channel, ChannelModel, ConsumeMessage } from "amqplib";
import { countPoison, countReady } from "./count-poison.ts";
import { type BrokerSession, superviseConnection } from "./supervise-connection.ts";
import { watchConsumer } from "./watch-consumer.ts";

/** `ack`: done. `retry`: call the handler again shortly. `reject`: unreadable, dead-letter to the poison queue. */
export type ConsumeResult = "ack" | "retry" | "reject";

export interface IncomingMessage {
  readonly content: Buffer;
  readonly messageId: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Returns the number of messages in a queue that wait to be delivered to a consumer. The queue must exist. */
  countReady(queue: string): Promise<number>;
}

export interface Consumer {
  isUp(): boolean;
  /** Resolves as soon as the consumer is up; at once if it is up already. */
  whenUp(): Promise<void>;
  /** Returns the number of messages in the queue that wait to be delivered. Rejects while there is no connection. */
  countReady(): Promise<number>;
  /**
   * Stops receiving, waits until each running handler has returned, and closes. Messages that are not acknowledged return
   * to the queue. It waits at most 4 s for the broker and, by default, 20 s for the handlers.
   */
  stop(): Promise<void>;
}

const RETRY_BACKOFF = { minMs: 100, maxMs: 5_000 };
// The broker normally confirms a cancel or a close within milliseconds. If it does not, the connection is closed anyway: the broker
// then removes the consumer and redelivers the unacknowledged messages.
const CANCEL_TIMEOUT_MS = 1_000;
const CLOSE_CHANNEL_TIMEOUT_MS = 1_000;
const HANDLERS_TIMEOUT_MS = 20_000;

/**
 * Starts to consume `queue` with at most `prefetch` messages in flight. `declare` declares the queue, and the queues and exchanges
 * that it needs; it runs on each connection, and every 30 s unless another consumer of the process does that. A handler that
 * throws counts as `retry`.
 *
 * `retry` keeps the message and calls the handler again after a growing wait, from 100 ms up to 5 s. The message does not return to
 * the broker: each return would count against the queue's delivery limit, and a database that is down for a minute would send good
 * messages to the poison queue.
 */
export function startConsumer(options: {
  url: string;
  /** The connection's name in the broker's management page. */
  name: string;
  logger: Logger;
  queue: string;
  prefetch: number;
  /** The queue that receives the rejected messages. The metrics count its messages. */
  poisonQueue?: string;
  /** Receives the connection's state. */
  metrics?: Metrics;
  declare: (channel: Channel, connection: ChannelModel) => Promise<void>;
  /** False if another consumer declares the same every 30 s. */
  declaresAgain?: boolean;
  handle: (message: IncomingMessage) => Promise<ConsumeResult>;
  /**
   * Resolves once everything that the handler has read survives a failover of its database. A handler that finds its work already
   * done commits nothing, so no commit of its own has waited for a standby.
   */
  replicated: () => Promise<void>;
  /** How long `stop` waits for running handlers. The default is longer than a statement (15 s) or a webhook (10 s) may take. */
  handlersTimeoutMs?: number;
  /** How often to check that the broker has not forgotten the consumer, every 5 s by default. */
  checkEveryMs?: number;
}): Consumer {
  const { logger, queue, handlersTimeoutMs = HANDLERS_TIMEOUT_MS } = options;
  const inFlight = new Set<Promise<void>>();
  let receivedCount = 0;
  const stopping = new AbortController();
  let cancel = async () => {};
  let closeChannel = async () => {};
  let connection: ChannelModel | null = null;

  const supervised = superviseConnection({
    ...options,
    setUp: async (session) => {
      const channel = await session.connection.createChannel();
      channel.on("error", (error: Error) => session.end(error.message));
      channel.on("close", () => session.end("channel closed"));
      await options.declare(channel, session.connection);
      connection = session.connection;
      session.signal.addEventListener("abort", () => {
        connection = null;
      });
      await channel.prefetch(options.prefetch);
      const { consumerTag } = await channel.consume(queue, (message) => {
        // The broker cancels the consumer when its queue is deleted.
        if (message === null) return session.end("consumer cancelled");
        const work = consume(message, channel, session).catch((error: Error) => session.end(error.message));
        receivedCount += 1;
        inFlight.add(work);
        void work.finally(() => inFlight.delete(work));
      });
      void watchConsumer({
        channel,
        session,
        stopping: stopping.signal,
        queue,
        ...(options.declaresAgain !== false && {
          declare: () => options.declare(channel, session.connection),
        }),
        receivedCount: () => receivedCount,
        inFlightCount: () => inFlight.size,
        ...(options.checkEveryMs !== undefined && { checkEveryMs: options.checkEveryMs }),
      });
      cancel = async () => {
        if (!session.signal.aborted) await settlesWithin(channel.cancel(consumerTag), CANCEL_TIMEOUT_MS);
      };
      closeChannel = async () => {
        if (!session.signal.aborted) await settlesWithin(channel.close(), CLOSE_CHANNEL_TIMEOUT_MS);
      };
    },
  });

  if (options.metrics !== undefined && options.poisonQueue !== undefined)
    countPoison(options.metrics, options.poisonQueue, () => connection);

  async function consume(message: ConsumeMessage, channel: Channel, session: BrokerSession): Promise<void> {
    const incoming = {
      content: message.content,
      messageId: message.properties.messageId as string | undefined,
      headers: message.properties.headers ?? {},
      countReady: async (other: string) => (await channel.checkQueue(other)).messageCount,
    };
    for (let retries = 0; !session.signal.aborted; retries += 1) {
      const result = await resultOf(incoming);
      // A message can only be acknowledged in the session that received it. The broker redelivers it in the next one.
      if (session.signal.aborted) return;
      if (result === "ack") return channel.ack(message);
      if (result === "reject") return channel.nack(message, false, false);
      // Closing the channel returns the message; retrying could delay `stop` for as long as the database is down.
      if (stopping.signal.aborted) return;
      await sleep(backoff(retries, RETRY_BACKOFF), stopping.signal);
    }
  }

  async function resultOf(message: IncomingMessage): Promise<ConsumeResult> {
    try {
      const result = await options.handle(message);
      if (result === "ack") await options.replicated();
      return result;
    } catch (error) {
      logger.error({ err: error, queue, messageId: message.messageId }, "message handler failed; retrying");
      return "retry";
    }
  }

  return {
    isUp: () => supervised.isUp(),
    whenUp: () => supervised.whenUp(),
    countReady: () => countReady(connection, queue),
    stop: async () => {
      stopping.abort();
      await cancel();
      if (!(await settlesWithin(Promise.allSettled(inFlight), handlersTimeoutMs)))
        logger.warn(
          { queue, count: inFlight.size },
          "handlers did not finish in time; returning their messages",
        );
      // Closes the channel first: amqplib may send a connection's close before the last acknowledgements of its channels.
      await closeChannel();
      await supervised.stop();
    },
  };
}
