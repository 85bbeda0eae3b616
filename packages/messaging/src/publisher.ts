// Publishes with confirms over a connection of its own, so that a broker that blocks publishers does not stop
// consumers. It never throws: it says of each message what became of it.

import { type Logger, sleep } from "@tradepost/runtime";
import { type ChannelModel, type ConfirmChannel, IllegalOperationError, type Message } from "amqplib";
import { type Generation, superviseConnection } from "./supervise-connection.ts";
import { queueExchange } from "./topology.ts";

export interface OutgoingMessage {
  /** `queueExchange(queue)` for one queue, with its name as the routing key. */
  readonly exchange: string;
  readonly routingKey: string;
  /** Unique among the messages in flight; a returned message is recognised by it. */
  readonly messageId: string;
  readonly content: Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  /** Whether it is a failure when no queue takes the message. */
  readonly mandatory: boolean;
}

/**
 * `confirmed`: the broker has it on disk. `unroutable`: mandatory, and no queue took it. `refused`: the broker said
 * no (a queue that is full). `unavailable`: nobody knows; the connection is down, blocked, or ended before the
 * confirm came. `unencodable`: no broker would ever take it.
 */
export type PublishOutcome = "confirmed" | "unroutable" | "refused" | "unavailable" | "unencodable";

export interface Publisher {
  publish(message: OutgoingMessage): Promise<PublishOutcome>;
  /** True while messages are taken: connected and not blocked by an alarm of the broker's. */
  isUp(): boolean;
  whenUp(): Promise<void>;
  stop(): Promise<void>;
}

// A confirm takes milliseconds; past this the link is dead or the broker ill, and a new generation asks again.
const CONFIRM_TIMEOUT_MS = 10_000;
// A queue that is deleted and at once declared again leaves its consumer with the old one, uncancelled and fed by
// nobody. So the broker is given time to tell the consumer, which then declares the queue itself.
const DECLARE_AGAIN_AFTER_MS = 2_000;

interface Line {
  readonly channel: ConfirmChannel;
  readonly generation: Generation;
  readonly returnedIds: Set<string>;
  /** Settles each message in flight as `unavailable`. */
  readonly giveUps: Set<() => void>;
  isBlocked: boolean;
}

interface PublisherOptions {
  readonly url: string;
  readonly name: string;
  readonly logger: Logger;
  readonly declare: (channel: ConfirmChannel, connection: ChannelModel) => Promise<void>;
}

/**
 * In: the broker's URL, the connection's name, and `declare`, which declares what is published to: on each connection,
 * and again when a message does not find its queue.
 */
export function startPublisher(options: PublisherOptions): Publisher {
  let line: Line | null = null;
  const supervised = superviseConnection({
    ...options,
    setUp: async (generation) => {
      const opened = await openLine(generation, options);
      await options.declare(opened.channel, generation.connection);
      if (generation.signal.aborted) return;
      line = opened;
      generation.signal.addEventListener("abort", () => {
        line = null;
        giveUpAll(opened);
      });
    },
  });
  return {
    publish: async (message) =>
      line === null || line.isBlocked ? "unavailable" : await publishOn(line, message),
    isUp: () => line !== null && !line.isBlocked,
    whenUp: () => supervised.whenUp(),
    stop: () => supervised.stop(),
  };
}

async function openLine(generation: Generation, { declare, logger }: PublisherOptions): Promise<Line> {
  const channel = await generation.connection.createConfirmChannel();
  const line: Line = { channel, generation, returnedIds: new Set(), giveUps: new Set(), isBlocked: false };
  channel.on("error", (error: Error) => generation.end(error.message));
  channel.on("close", () => generation.end("channel closed"));
  let isDeclaring = false;
  const declareAgain = async (queue: string) => {
    if (isDeclaring) return;
    isDeclaring = true;
    logger.warn({ queue }, "queue is gone; declaring again");
    await sleep(DECLARE_AGAIN_AFTER_MS, generation.signal);
    if (generation.signal.aborted) return;
    await declare(channel, generation.connection);
    isDeclaring = false;
  };
  // The broker sends a return before it confirms the same message.
  channel.on("return", (message: Message) => {
    line.returnedIds.add(String(message.properties.messageId));
    // What finds no queue through a service's own exchange is sent to one that was deleted. Where declaring it fails, the
    // channel closes, and with it the generation ends.
    const { exchange, routingKey } = message.fields;
    if (exchange === queueExchange(routingKey)) void declareAgain(routingKey).catch(() => undefined);
  });
  generation.connection.on("blocked", (reason: string) => {
    line.isBlocked = true;
    giveUpAll(line);
    logger.warn({ reason }, "broker blocks publishers");
  });
  generation.connection.on("unblocked", () => {
    line.isBlocked = false;
    logger.info("broker takes messages again");
  });
  return line;
}

function giveUpAll(line: Line): void {
  for (const giveUp of [...line.giveUps]) giveUp();
}

function publishOn(line: Line, message: OutgoingMessage): Promise<PublishOutcome> {
  const { channel, generation, giveUps, returnedIds } = line;
  return new Promise((resolve) => {
    const settle = (outcome: PublishOutcome) => {
      clearTimeout(timer);
      giveUps.delete(giveUp);
      const wasReturned = returnedIds.delete(message.messageId);
      resolve(outcome === "confirmed" && wasReturned ? "unroutable" : outcome);
    };
    const giveUp = () => settle("unavailable");
    const timer = setTimeout(() => generation.end("a confirm did not come"), CONFIRM_TIMEOUT_MS);
    giveUps.add(giveUp);
    try {
      channel.publish(
        message.exchange,
        message.routingKey,
        message.content,
        propertiesOf(message),
        (error) => {
          if (!error) settle("confirmed");
          // A channel that closes calls back as well, with an error that says nothing about the message.
          else settle((error as Error).message === "message nacked" ? "refused" : "unavailable");
        },
      );
    } catch (error) {
      settle(error instanceof IllegalOperationError ? "unavailable" : "unencodable");
    }
  });
}

function propertiesOf(message: OutgoingMessage) {
  return {
    persistent: true,
    contentType: "application/json",
    messageId: message.messageId,
    timestamp: Math.floor(Date.now() / 1000),
    mandatory: message.mandatory,
    ...(message.type !== undefined && { type: message.type }),
    ...(message.headers && { headers: message.headers }),
  };
}
