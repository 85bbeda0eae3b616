// Takes messages off one queue over a connection of its own and acknowledges each only when its handler is done.

import { backoff, type Logger, settlesWithin, sleep } from "@tradepost/runtime";
import type { Channel, ChannelModel, ConsumeMessage } from "amqplib";
import { type Generation, superviseConnection } from "./supervise-connection.ts";
import { watchConsumer } from "./watch-consumer.ts";

/** What a handler says of a message: done; try again shortly; or no code can read it (dead-lettered to the poison queue). */
export type ConsumeResult = "ack" | "retry" | "reject";

export interface IncomingMessage {
  readonly content: Buffer;
  readonly messageId: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface Consumer {
  isUp(): boolean;
  whenUp(): Promise<void>;
  /**
   * Takes nothing new, lets each handler finish once more, then closes; what was to be retried goes back. A broker that does
   * not respond delays it by 4 s at most, handlers by 20 s: what they have in hand then goes back too.
   */
  stop(): Promise<void>;
}

const RETRY_BACKOFF = { minMs: 100, maxMs: 5_000 };
// Each of the broker's confirmations at the stop takes milliseconds. Without it the connection is closed all the same: the
// broker then drops the consumer, and delivers again what it has no acknowledgement for.
const CANCEL_TIMEOUT_MS = 1_000;
const CLOSE_CHANNEL_TIMEOUT_MS = 1_000;
// Longer than a handler's statement (15 s) or webhook (10 s) may take. One that takes longer waits for somebody who is gone.
const HANDLERS_TIMEOUT_MS = 20_000;

/**
 * In: where and what to consume, how many messages may be in hand at once, `declare` for the queue and all that it
 * needs, and the handler. A handler that throws counts as `retry`.
 *
 * `retry` keeps the message in hand and calls the handler again after a growing wait. It is never handed back to the
 * broker: each return would count against the queue's delivery limit, and a database that is down for a minute would
 * send good messages to the poison queue.
 */
export function startConsumer(options: {
  url: string;
  name: string;
  logger: Logger;
  queue: string;
  prefetch: number;
  declare: (channel: Channel, connection: ChannelModel) => Promise<void>;
  handle: (message: IncomingMessage) => Promise<ConsumeResult>;
}): Consumer {
  const { logger, queue } = options;
  const inHand = new Set<Promise<void>>();
  let takenCount = 0;
  const stopping = new AbortController();
  let cancel = async () => {};
  let closeChannel = async () => {};

  const supervised = superviseConnection({
    ...options,
    setUp: async (generation) => {
      const channel = await generation.connection.createChannel();
      channel.on("error", (error: Error) => generation.end(error.message));
      channel.on("close", () => generation.end("channel closed"));
      await options.declare(channel, generation.connection);
      await channel.prefetch(options.prefetch);
      const { consumerTag } = await channel.consume(queue, (message) => {
        // The broker cancels a consumer whose queue went away; unheard, it would look alive and get nothing.
        if (message === null) return generation.end("consumer cancelled");
        const work = take(message, channel, generation).catch((error: Error) =>
          generation.end(error.message),
        );
        takenCount += 1;
        inHand.add(work);
        void work.finally(() => inHand.delete(work));
      });
      void watchConsumer({
        channel,
        generation,
        stopping: stopping.signal,
        queue,
        declare: () => options.declare(channel, generation.connection),
        takenCount: () => takenCount,
        inHandCount: () => inHand.size,
      });
      cancel = async () => {
        if (!generation.signal.aborted) await settlesWithin(channel.cancel(consumerTag), CANCEL_TIMEOUT_MS);
      };
      closeChannel = async () => {
        if (!generation.signal.aborted) await settlesWithin(channel.close(), CLOSE_CHANNEL_TIMEOUT_MS);
      };
    },
  });

  async function take(message: ConsumeMessage, channel: Channel, generation: Generation): Promise<void> {
    const incoming = {
      content: message.content,
      messageId: message.properties.messageId as string | undefined,
      headers: message.properties.headers ?? {},
    };
    for (let retryCount = 0; !generation.signal.aborted; retryCount += 1) {
      const result = await resultOf(incoming);
      // Acknowledgements belong to their generation: the broker redelivers what a lost connection held.
      if (generation.signal.aborted) return;
      if (result === "ack") return channel.ack(message);
      if (result === "reject") return channel.nack(message, false, false);
      // Closing hands it back, once; waiting for a database that is down would hold up the stop for as long.
      if (stopping.signal.aborted) return;
      await sleep(backoff(retryCount, RETRY_BACKOFF), stopping.signal);
    }
  }

  async function resultOf(message: IncomingMessage): Promise<ConsumeResult> {
    try {
      return await options.handle(message);
    } catch (error) {
      logger.error({ err: error, queue, messageId: message.messageId }, "message not handled; trying again");
      return "retry";
    }
  }

  return {
    isUp: () => supervised.isUp(),
    whenUp: () => supervised.whenUp(),
    stop: async () => {
      stopping.abort();
      await cancel();
      if (!(await settlesWithin(Promise.allSettled(inHand), HANDLERS_TIMEOUT_MS)))
        logger.warn({ queue, count: inHand.size }, "messages not handled in time; giving them back");
      // amqplib may write a connection's close ahead of what its channels sent last: the acknowledgements.
      await closeChannel();
      await supervised.stop();
    },
  };
}
