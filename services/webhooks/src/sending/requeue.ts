// Handles `webhooks.deliveries`: retries whose wait has ended, and deliveries that the sweep published. It returns them to Postgres,
// where they wait for their jitter and their endpoint's turn.
import type { ConsumeResult, IncomingMessage } from "@tradepost/messaging";
import { batch, type Logger } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { deadLetters, jobs } from "../delivery/delivery.ts";
import type { AdmissionLoop } from "./admission-loop.ts";

export function jobHandler(options: {
  requeue: (job: jobs.Job) => Promise<void>;
  redrive: (filter: { delivery: string }) => Promise<{ redriven: number }>;
  logger: Logger;
}) {
  const { requeue, redrive, logger } = options;
  return async (message: IncomingMessage): Promise<ConsumeResult> => {
    const job = jobs.decode(message.content);
    if (job !== null) {
      await requeue(job);
      failPoint("dispatch.requeued");
      return "ack";
    }
    const deadLetter = deadLetters.decode(message.content);
    if (deadLetter !== null) {
      // An operator moved it here from webhooks.dead to have it sent again.
      const { redriven } = await redrive({ delivery: deadLetter.deliveryId });
      logger.info({ ...deadLetter, redriven }, "dead letter moved by hand");
      return "ack";
    }
    logger.error({ messageId: message.messageId }, "delivery job is unreadable");
    return "reject";
  };
}

const BATCH_JOBS_MAX = 200;
// If a batch waits longer for a locked row, the next batch starts without waiting for it.
const MAX_WAIT_MS = 50;

export function createRequeue(pool: Pool, admissionLoop: Pick<AdmissionLoop, "wakeIn">) {
  return batch<jobs.Job, void>({
    itemsMax: BATCH_JOBS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (received) => {
      const dueInMs = await jobs.requeue(pool, received);
      if (dueInMs !== null) {
        failPoint("requeue.committed");
        admissionLoop.wakeIn(dueInMs);
      }
      return received.map(() => undefined);
    },
  });
}
