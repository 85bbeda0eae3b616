// Processes uploaded images in the background. The rows in Postgres decide which images wait; tenants take turns. A
// message on `content.media` only starts the next poll early, so without the broker an image waits a second longer.
import { type ConsumeResult, decodeEvent, type IncomingMessage, startConsumer } from "@tradepost/messaging";

import type { Logger, Metrics } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import { type ProcessNext, startRoundRobin } from "../round-robin.ts";
import type { Tables } from "../tables.ts";
import { declareTopology, MEDIA_QUEUE, POISON_QUEUE } from "../topology.ts";
import { findImageTenants } from "./processing-store.ts";

// Each is a process that takes up to 512 MiB and a core. They belong to different tenants.
const IMAGES_AT_ONCE = 2;
// Finds images whose message woke a busy replica, images due for another attempt, and images whose message was lost.
const POLL_EVERY_MS = 1_000;
const PREFETCH = 20;

/** The role of `db` may find the tenants whose images wait, and nothing else. */
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
    pollEveryMs: POLL_EVERY_MS,
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
    declare: declareTopology,
    handle: async (message) => handleUploaded(message, roundRobin.wake, logger),
  });
  return {
    isUp: consumer.isUp,
    stop: async () => void (await Promise.all([consumer.stop(), roundRobin.stop()])),
  };
}

/** Acknowledges at once: the image's row was committed before its event was published. */
function handleUploaded(message: IncomingMessage, wake: () => void, logger: Logger): ConsumeResult {
  if ("fault" in decodeEvent(message.content)) {
    logger.error({ messageId: message.messageId }, "media message is unreadable");
    return "reject";
  }
  wake();
  return "ack";
}
