// Consumes one queue on its own connection. A message is acknowledged only once its handler has returned and everything that the
// handler has read would survive a failover of the database (interface §21).
import { backoff, type Metrics, settlesWithin, sleep } from "@tradepost/runtime";
import type { Channel, ChannelModel, ConsumeMessage } from "amqplib";
import { type BrokerSession, type ConnectionOptions, superviseConnection } from "./supervise-connection.ts";
import { type Received, watchConsumer } from "./watch-consumer.ts";

/** `ack`: done. `retry`: call the handler again shortly. `reject`: unreadable, dead-letter to the poison queue. */
export type ConsumeResult = "ack" | "retry" | "reject";

export interface IncomingMessage {
  readonly content: Buffer;
  readonly messageId: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  countReady(queue: string): Promise<number>;
}

interface ConsumerOptions extends ConnectionOptions {
  readonly queue: string;
  readonly prefetch: number;
  /** Receives the rejected messages; the metrics count them. */
  readonly poisonQueue?: string;
  readonly declare: (channel: Channel, connection: ChannelModel) => Promise<void>;
  /** False if another consumer declares the same queues every 30 s. */
  readonly declaresAgain?: boolean;
  readonly handle: (message: IncomingMessage) => Promise<ConsumeResult>;
  /** Awaited before each `ack`: a handler that finds its work done makes no commit that waits for a standby. */
  readonly replicated: () => Promise<void>;
  /** The default is longer than a statement (15 s) or a webhook (10 s) may take. */
  readonly handlersTimeoutMs?: number;
  /** 5 s by default. */
  readonly checkEveryMs?: number;
}

interface Consuming {
  readonly connection: ChannelModel;
  readonly channel: Channel;
  readonly consumerTag: string;
}

const RETRY_BACKOFF = { minMs: 100, maxMs: 5_000 };
// After this time the connection is closed: the broker then removes the consumer and redelivers.
const CANCEL_TIMEOUT_MS = 1_000;
const CLOSE_CHANNEL_TIMEOUT_MS = 1_000;
const HANDLERS_TIMEOUT_MS = 20_000;

/**
 * Starts to consume `queue` with at most `prefetch` messages in flight. `declare` declares the queue, and the queues and exchanges
 * that it needs: on each connection, and every 30 s. A handler that throws counts as `retry`.
 *
 * `retry` keeps the message and calls the handler again after a growing wait, from 100 ms up to 5 s. The message does not return to
 * the broker: each return would count against the queue's delivery limit, and a database that is down for a minute would send good
 * messages to the poison queue.
 */
export function startConsumer(options: ConsumerOptions) {
  const { logger, queue, handlersTimeoutMs = HANDLERS_TIMEOUT_MS } = options;
  const stopping = new AbortController();
  const received: Received = { count: 0, inFlight: new Set() };
  let current: Consuming | null = null;

  const supervised = superviseConnection({
    ...options,
    setUp: async (session) => {
      const channel = await session.connection.createChannel();
      channel.on("error", (error: Error) => session.end(error.message));
      channel.on("close", () => session.end("channel closed"));
      await options.declare(channel, session.connection);
      await channel.prefetch(options.prefetch);
      const { consumerTag } = await channel.consume(queue, (message) => {
        // The broker cancels the consumer when its queue is deleted.
        if (message === null) return session.end("consumer cancelled");
        const handled: Promise<void> = consume(message, channel, session, stopping.signal, options)
          .catch((error: Error) => session.end(error.message))
          .finally(() => received.inFlight.delete(handled));
        received.count += 1;
        received.inFlight.add(handled);
      });
      if (session.signal.aborted) return;
      current = { connection: session.connection, channel, consumerTag };
      session.signal.addEventListener("abort", () => {
        current = null;
      });
      void watchConsumer(channel, session, received, { ...options, stopping: stopping.signal });
    },
  });
  if (options.metrics !== undefined && options.poisonQueue !== undefined)
    countPoison(options.metrics, options.poisonQueue, () => current?.connection);

  return {
    isUp: supervised.isUp,
    whenUp: supervised.whenUp,
    /** Returns the number of messages that wait to be delivered. Rejects without a connection. */
    countReady: () => readyIn(queue, current?.connection),
    /** Waits at most 20 s for running handlers and 4 s for the broker. Messages that are not acknowledged return to the queue. */
    stop: async () => {
      stopping.abort();
      if (current !== null)
        await settlesWithin(current.channel.cancel(current.consumerTag), CANCEL_TIMEOUT_MS);
      if (!(await settlesWithin(Promise.allSettled(received.inFlight), handlersTimeoutMs)))
        logger.warn(
          { queue, count: received.inFlight.size },
          "handlers did not finish in time; returning their messages",
        );
      // amqplib may send a connection's close before the last acknowledgements of its channels.
      if (current !== null) await settlesWithin(current.channel.close(), CLOSE_CHANNEL_TIMEOUT_MS);
      await supervised.stop();
    },
  };
}

async function consume(
  message: ConsumeMessage,
  channel: Channel,
  session: BrokerSession,
  stopping: AbortSignal,
  options: ConsumerOptions,
): Promise<void> {
  const incoming = {
    content: message.content,
    messageId: message.properties.messageId as string | undefined,
    headers: message.properties.headers ?? {},
    countReady: async (other: string) => (await channel.checkQueue(other)).messageCount,
  };
  for (let retries = 0; !session.signal.aborted; retries += 1) {
    const result = await resultOf(incoming, options);
    // Only this session can acknowledge the message.
    if (session.signal.aborted) return;
    if (result === "ack") return channel.ack(message);
    if (result === "reject") return channel.nack(message, false, false);
    // Retrying could delay `stop`; closing the channel returns the message.
    if (stopping.aborted) return;
    await sleep(backoff(retries, RETRY_BACKOFF), stopping);
  }
}

async function resultOf(
  message: IncomingMessage,
  { handle, replicated, logger, queue }: ConsumerOptions,
): Promise<ConsumeResult> {
  try {
    const result = await handle(message);
    if (result === "ack") await replicated();
    return result;
  } catch (error) {
    logger.error({ err: error, queue, messageId: message.messageId }, "message handler failed; retrying");
    return "retry";
  }
}

function countPoison(metrics: Metrics, queue: string, connection: () => ChannelModel | undefined): void {
  metrics.sumGauge(
    "poison_messages",
    "Messages that could not be read and wait for the operator. Replicas report the same queue: aggregate with max.",
    ["queue"],
    async () => [{ labels: { queue }, value: await readyIn(queue, connection()) }],
  );
}

async function readyIn(queue: string, connection: ChannelModel | undefined): Promise<number> {
  if (connection === undefined) throw new Error("not connected to the broker");
  // If the queue does not exist, the broker closes the channel, so no other work may use this channel.
  const channel = await connection.createChannel();
  channel.on("error", () => undefined);
  const { messageCount } = await channel.checkQueue(queue);
  await channel.close();
  return messageCount;
}
