// Processes uploaded images in the background. The rows in Postgres decide which wait; tenants take turns. A message on
// `content.media` only starts the next poll early.
import {
  type ConsumeResult,
  declareParkingQueue,
  declareWorkQueue,
  decodeEvent,
  EVENTS_EXCHANGE,
  type IncomingMessage,
  startConsumer,
} from "@tradepost/messaging";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Channel, ChannelModel } from "amqplib";
import type { Kysely } from "kysely";
import { type ProcessNext, startRoundRobin } from "../../round-robin.ts";
import type { Tables } from "../../tables.ts";
import { findImageTenants } from "./processing-store.ts";

const MEDIA_QUEUE = "content.media";
const POISON_QUEUE = "content.poison";
// Each takes up to 512 MiB and a core. No two are of the same tenant.
const IMAGES_AT_ONCE = 2;
const PREFETCH = 20;

export function startImageProcessing(options: {
  processNext: ProcessNext;
  db: Kysely<Tables>;
  amqpUrl: string;
  replicated: () => Promise<void>;
  logger: Logger;
  metrics: Metrics;
}) {
  const { processNext, db, logger, metrics } = options;
  const roundRobin = startRoundRobin({
    name: "images",
    slots: IMAGES_AT_ONCE,
    // Also finds images whose message woke a busy replica or was lost, and images due for another attempt.
    findTenants: () => findImageTenants(db),
    processNext,
    logger,
  });
  const consumer = startConsumer({
    url: options.amqpUrl,
    name: "content.media",
    replicated: options.replicated,
    logger,
    metrics,
    queue: MEDIA_QUEUE,
    poisonQueue: POISON_QUEUE,
    prefetch: PREFETCH,
    declare: declareQueues,
    handle: async (message) => handleUploaded(message, roundRobin.wake, logger),
  });
  return {
    isUp: consumer.isUp,
    stop: async () => void (await Promise.all([consumer.stop(), roundRobin.stop()])),
  };
}

/** Acknowledges at once: the row was committed before the event. */
function handleUploaded(message: IncomingMessage, wake: () => void, logger: Logger): ConsumeResult {
  if ("fault" in decodeEvent(message.content)) {
    logger.error({ messageId: message.messageId }, "media message is unreadable");
    return "reject";
  }
  wake();
  return "ack";
}

/** Declares queues (interface §8), the target of dead-lettering first. Polling finds images whose message is lost. */
async function declareQueues(channel: Channel, connection: ChannelModel): Promise<void> {
  await declareParkingQueue(channel, POISON_QUEUE);
  await channel.checkExchange(EVENTS_EXCHANGE);
  await declareWorkQueue(channel, connection, MEDIA_QUEUE, POISON_QUEUE);
  await channel.bindQueue(MEDIA_QUEUE, EVENTS_EXCHANGE, "media.uploaded");
}
