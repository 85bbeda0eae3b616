// Handles one job of the queue `webhooks.deliveries`: claim → send → settle. The HTTP request is made between two
// transactions, never inside one.
import type { ConsumeResult, IncomingMessage } from "@tradepost/messaging";
import type { Logger } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import { decodeDeadLetterMessage } from "../delivery/dead-letter-message.ts";
import { decodeJob } from "../delivery/job.ts";
import type { Claim } from "./claim.ts";
import type { RequeueDue } from "./requeue-due.ts";
import type { Send } from "./send.ts";
import type { Settle } from "./settle.ts";

/** Returns the handler for the queue. */
export function startDispatch({
  claim,
  requeueDue,
  send,
  settle,
  redrive,
  logger,
}: {
  claim: Claim;
  requeueDue: RequeueDue;
  send: Send;
  settle: Settle;
  redrive: (filter: { delivery: string }) => Promise<{ redriven: number }>;
  logger: Logger;
}) {
  return async (message: IncomingMessage): Promise<ConsumeResult> => {
    const job = decodeJob(message.content);
    if (job === null) {
      const deadLetter = decodeDeadLetterMessage(message.content);
      if (deadLetter !== null) {
        // An operator moved it here from webhooks.dead to have it sent again.
        const { redriven } = await redrive({ delivery: deadLetter.deliveryId });
        logger.info({ ...deadLetter, redriven }, "dead letter moved by hand");
        return "ack";
      }
      logger.error({ messageId: message.messageId }, "delivery job is unreadable");
      return "reject";
    }
    const delivery = await claim(job);
    // The job comes from a retry queue, or it is stale: the delivery has ended, is paused or is claimed by another process.
    if (delivery === null) {
      await requeueDue(job);
      failPoint("dispatch.requeued");
      return "ack";
    }
    failPoint("dispatch.claimed");
    const attempt = await send(delivery);
    failPoint("dispatch.sent");
    await settle(delivery, attempt);
    failPoint("dispatch.settled");
    return "ack";
  };
}
