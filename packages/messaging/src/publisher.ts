// Publishes messages with confirms. It has its own connection, so that a broker that blocks publishers does not stop consumers.
import { sleep } from "@tradepost/runtime";
import { type ChannelModel, type ConfirmChannel, IllegalOperationError, type Message } from "amqplib";
import {
  type BrokerSession,
  type ConnectionOptions,
  type SupervisedConnection,
  superviseConnection,
  writeTogether,
} from "./supervise-connection.ts";
import { queueExchange } from "./topology.ts";

export interface OutgoingMessage {
  /** For a single queue: `queueExchange(queue)`. */
  readonly exchange: string;
  readonly routingKey: string;
  /** Unique among the messages in flight: it identifies a returned message. */
  readonly messageId: string;
  readonly content: Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  /** If true, a message that reaches no queue is `unroutable`. */
  readonly mandatory: boolean;
}

/**
 * - `confirmed`: the broker has the message on disk.
 * - `unroutable`: a mandatory message was routed to no queue.
 * - `refused`: the broker rejected it, for example because a queue is full.
 * - `unavailable`: the outcome is unknown, because the connection is down or blocked, or ended before the confirm.
 * - `unencodable`: the message can never be sent.
 */
export type PublishOutcome = "confirmed" | "unroutable" | "refused" | "unavailable" | "unencodable";

/** `isUp` is true while it is connected and not blocked by an alarm of the broker. */
export interface Publisher extends SupervisedConnection {
  publish(message: OutgoingMessage): Promise<PublishOutcome>;
}

// A confirm takes milliseconds. After 10 s the link or the broker has failed, and a new session replaces this one.
const CONFIRM_TIMEOUT_MS = 10_000;
// If a queue is deleted and declared again at once, its consumer may stay with the deleted queue. The wait leaves time for
// the broker to cancel the consumer, which then declares the queue itself.
const DECLARE_AGAIN_AFTER_MS = 2_000;

// A channel of RabbitMQ that used a quorum queue during a change of its leader may refuse every message to it forever, while other
// channels can still publish.
const REFUSING_MAX_MS = 2_000;

interface PublishChannel {
  readonly channel: ConfirmChannel;
  readonly session: BrokerSession;
  readonly returnedIds: Set<string>;
  /** Since when the broker refuses messages, by routing key. */
  readonly refusedSince: Map<string, number>;
  /** Each resolves a message in flight as `unavailable`. */
  readonly giveUps: Set<() => void>;
  readonly confirmTimeoutMs: number;
  isBlocked: boolean;
}

interface PublisherOptions extends ConnectionOptions {
  readonly declare: (channel: ConfirmChannel, connection: ChannelModel) => Promise<unknown>;
  /** 10 s by default. */
  readonly confirmTimeoutMs?: number | undefined;
}

/**
 * `declare` declares the queues and exchanges to publish to: on each connection, and again when a message sent to a queue does not
 * reach it. `publish` never throws.
 */
export function startPublisher(options: PublisherOptions): Publisher {
  let current: PublishChannel | null = null;
  const supervised = superviseConnection({
    ...options,
    setUp: async (session) => {
      writeTogether(session.connection);
      const opened = await openChannel(session, options);
      await options.declare(opened.channel, session.connection);
      if (session.signal.aborted) return;
      current = opened;
      session.signal.addEventListener("abort", () => {
        current = null;
        giveUpAll(opened);
      });
    },
  });
  options.metrics?.sumGauge(
    "broker_blocked",
    "Publishing connections of this process that the broker blocks because of an alarm.",
    [],
    () => [{ labels: {}, value: current?.isBlocked ? 1 : 0 }],
  );
  return {
    publish: async (message) =>
      current === null || current.isBlocked ? "unavailable" : await publishOn(current, message),
    isUp: () => current !== null && !current.isBlocked,
    whenUp: () => supervised.whenUp(),
    stop: () => supervised.stop(),
  };
}

async function openChannel(
  session: BrokerSession,
  { declare, logger, confirmTimeoutMs = CONFIRM_TIMEOUT_MS }: PublisherOptions,
): Promise<PublishChannel> {
  const channel = await session.connection.createConfirmChannel();
  const opened: PublishChannel = {
    channel,
    session,
    returnedIds: new Set(),
    refusedSince: new Map(),
    giveUps: new Set(),
    confirmTimeoutMs,
    isBlocked: false,
  };
  channel.on("error", (error: Error) => session.end(error.message));
  channel.on("close", () => session.end("channel closed"));
  let isDeclaring = false;
  const declareAgain = async (queue: string) => {
    if (isDeclaring) return;
    isDeclaring = true;
    logger.warn({ queue }, "queue does not exist; declaring it again");
    await sleep(DECLARE_AGAIN_AFTER_MS, session.signal);
    if (session.signal.aborted) return;
    await declare(channel, session.connection);
    isDeclaring = false;
  };
  // The broker returns a message before it confirms it.
  channel.on("return", (message: Message) => {
    opened.returnedIds.add(String(message.properties.messageId));
    // Only this service's queues are bound here, so the queue was deleted. If declaring it fails, the broker closes the channel,
    // which ends the session.
    const { exchange, routingKey } = message.fields;
    if (exchange === queueExchange(routingKey)) void declareAgain(routingKey).catch(() => undefined);
  });
  session.connection.on("blocked", (reason: string) => {
    opened.isBlocked = true;
    giveUpAll(opened);
    logger.warn({ reason }, "the broker blocks publishers");
  });
  session.connection.on("unblocked", () => {
    opened.isBlocked = false;
    logger.info("the broker accepts messages again");
  });
  return opened;
}

function giveUpAll({ giveUps }: PublishChannel): void {
  for (const giveUp of [...giveUps]) giveUp();
}

function publishOn(opened: PublishChannel, message: OutgoingMessage): Promise<PublishOutcome> {
  const { channel, session, giveUps, returnedIds, confirmTimeoutMs } = opened;
  return new Promise((resolve) => {
    const finish = (outcome: PublishOutcome) => {
      clearTimeout(timer);
      giveUps.delete(giveUp);
      const wasReturned = returnedIds.delete(message.messageId);
      resolve(outcome === "confirmed" && wasReturned ? "unroutable" : outcome);
    };
    const giveUp = () => finish("unavailable");
    const timer = setTimeout(() => session.end("a confirm timed out"), confirmTimeoutMs);
    giveUps.add(giveUp);
    try {
      channel.publish(
        message.exchange,
        message.routingKey,
        message.content,
        propertiesOf(message),
        (error) => {
          // amqplib also passes an error when the channel closes; it says nothing about the message.
          const outcome = !error
            ? "confirmed"
            : error.message === "message nacked"
              ? "refused"
              : "unavailable";
          finish(outcome);
          endIfRefusing(opened, message.routingKey, outcome);
        },
      );
    } catch (error) {
      finish(error instanceof IllegalOperationError ? "unavailable" : "unencodable");
    }
  });
}

function endIfRefusing(
  { refusedSince, session }: PublishChannel,
  key: string,
  outcome: PublishOutcome,
): void {
  if (outcome === "confirmed") refusedSince.delete(key);
  if (outcome !== "refused") return;
  const since = refusedSince.get(key) ?? performance.now();
  refusedSince.set(key, since);
  if (performance.now() - since > REFUSING_MAX_MS) session.end("the broker refuses messages");
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
