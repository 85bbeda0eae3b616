// Handles one message of the queue `webhooks.deliveries`: a retry whose wait is over, or a delivery that the sweep found. The
// delivery waits in Postgres from now on, until the scheduler gives it its turn.
import type { ConsumeResult, IncomingMessage } from "@tradepost/messaging";
import type { Logger } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import { decodeDeadLetterMessage, decodeJob } from "../delivery/delivery.ts";
import type { Requeue } from "./requeue.ts";

/** Returns the handler for the queue. */
export function startHandleJob({
  requeue,
  redrive,
  logger,
}: {
  requeue: Requeue;
  redrive: (filter: { delivery: string }) => Promise<{ redriven: number }>;
  logger: Logger;
}) {
  return async (message: IncomingMessage): Promise<ConsumeResult> => {
    const job = decodeJob(message.content);
    if (job !== null) {
      await requeue(job);
      failPoint("dispatch.requeued");
      return "ack";
    }
    const deadLetter = decodeDeadLetterMessage(message.content);
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
