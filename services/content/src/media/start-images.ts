// Keeps images moving: the queue `content.media` says of each when it is uploaded, and the sweep finds those of which
// the queue, or whoever had them in hand, lost track. Postgres holds the truth; losing the broker loses nothing.
import { decodeEvent, type IncomingMessage, startConsumer, type Verdict } from "@tradepost/messaging";
import { type Logger, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";
import { z } from "zod";
import { declareTopology, MEDIA_QUEUE } from "../topology.ts";
import type { ProcessImage } from "./process-image.ts";

// Each holds a decoded image in memory, and one core.
const IMAGES_IN_HAND_MAX = 2;
const SWEEP_EVERY_MS = 5_000;

const uploaded = z.object({ media: z.object({ id: z.uuid() }) });

/** In: `workers`, who see whose turn it is and no more; `graceMs`, how long the queue may take before it counts as lost. */
export function startImages(options: {
  process: ProcessImage;
  workers: Pool;
  amqpUrl: string;
  graceMs: number;
  logger: Logger;
}) {
  const { logger } = options;
  const consumer = startConsumer({
    url: options.amqpUrl,
    name: "content.media",
    logger,
    queue: MEDIA_QUEUE,
    prefetch: IMAGES_IN_HAND_MAX,
    declare: declareTopology,
    handle: (message) => takeJob(message, options),
  });
  const sweeping = repeat(async () => {
    await sweep(options).catch((error: unknown) => logger.warn({ err: error }, "images not swept"));
    return Math.min(SWEEP_EVERY_MS, options.graceMs);
  });
  return {
    isUp: consumer.isUp,
    stop: async () => void (await Promise.all([consumer.stop(), sweeping.stop()])),
  };
}

/** The event of the upload is the job. */
async function takeJob(
  message: IncomingMessage,
  { process, logger }: { process: ProcessImage; logger: Logger },
): Promise<Verdict> {
  const decoded = decodeEvent(message.content);
  const data = "event" in decoded ? uploaded.safeParse(decoded.event.data) : null;
  if ("fault" in decoded || !data?.success) {
    logger.error({ messageId: message.messageId }, "media job is unreadable");
    return "reject";
  }
  await process(decoded.event.tenant_id, data.data.media.id);
  return "ack";
}

async function sweep(options: {
  process: ProcessImage;
  workers: Pool;
  graceMs: number;
  logger: Logger;
}): Promise<void> {
  const { rows } = await options.workers.query<{ tenantId: string; id: string }>(FIND_LOST, [
    options.graceMs,
  ]);
  for (const { tenantId, id } of rows) {
    await options
      .process(tenantId, id)
      .catch((error: unknown) =>
        options.logger.error({ err: error, mediaId: id }, "image not processed; trying again"),
      );
  }
}

const FIND_LOST = `
  select tenant_id as "tenantId", id
    from media
   where (status = 'uploaded' and created_at < now() - $1 * interval '1 ms')
      or (status = 'processing' and processing_until < now())
   order by created_at
   limit 20`;
