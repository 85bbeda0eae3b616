// Keeps images moving. Postgres holds the truth: an image waits in its row, and tenants take turns. A message on
// `content.media` only says that it is worth looking now; losing the broker costs a second, not an image.
import { type ConsumeResult, decodeEvent, type IncomingMessage, startConsumer } from "@tradepost/messaging";
import type { Logger } from "@tradepost/runtime";
import type { Pool } from "pg";
import { startTurns, type TakeTurn } from "../take-turns.ts";
import { declareTopology, MEDIA_QUEUE } from "../topology.ts";
import { findImageTenants } from "./processing-store.ts";

// Each is a process that takes up to 512 MiB and a core. They are different tenants'.
const IMAGES_IN_HAND_MAX = 2;
// For what another replica was woken for and has no hands for, for images that wait to be tried again, and for lost messages.
const LOOK_EVERY_MS = 1_000;
const MESSAGES_IN_HAND_MAX = 20;

/** In: a tenant's turn, and `workers`, who see whose turn it is and no more. */
export function startImages(options: { takeTurn: TakeTurn; workers: Pool; amqpUrl: string; logger: Logger }) {
  const { takeTurn, workers, logger } = options;
  const turns = startTurns({
    what: "images",
    slots: IMAGES_IN_HAND_MAX,
    lookEveryMs: LOOK_EVERY_MS,
    findTenants: () => findImageTenants(workers),
    takeTurn,
    logger,
  });
  const consumer = startConsumer({
    url: options.amqpUrl,
    name: "content.media",
    logger,
    queue: MEDIA_QUEUE,
    prefetch: MESSAGES_IN_HAND_MAX,
    declare: declareTopology,
    handle: async (message) => hear(message, turns.wake, logger),
  });
  return {
    isUp: consumer.isUp,
    stop: async () => void (await Promise.all([consumer.stop(), turns.stop()])),
  };
}

/** The image's row was committed before its event left, so there is nothing to wait for. */
function hear(message: IncomingMessage, wake: () => void, logger: Logger): ConsumeResult {
  if ("fault" in decodeEvent(message.content)) {
    logger.error({ messageId: message.messageId }, "media job is unreadable");
    return "reject";
  }
  wake();
  return "ack";
}
