// One job of the queue `webhooks.deliveries`, from message to settled attempt: take → send → settle. The HTTP call
// stands between two transactions, never inside one.
import type { ConsumeResult, IncomingMessage } from "@tradepost/messaging";
import type { Logger } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import { decodeDeadLetterMessage } from "../delivery/dead-letter-message.ts";
import { decodeJob } from "../delivery/job.ts";
import type { Claim } from "./claim.ts";
import type { RequeueDue } from "./requeue-due.ts";
import type { Send } from "./send.ts";
import type { Settle } from "./settle.ts";

/** Out: the handler for the queue. */
export function startDispatch({
  take,
  requeueDue,
  send,
  settle,
  redrive,
  logger,
}: {
  take: Claim;
  requeueDue: RequeueDue;
  send: Send;
  settle: Settle;
  redrive: (filter: { delivery: string }) => Promise<{ redriven: number }>;
  logger: Logger;
}) {
  return async (message: IncomingMessage): Promise<ConsumeResult> => {
    const job = decodeJob(message.content);
    if (job === null) {
      const dead = decodeDeadLetterMessage(message.content);
      if (dead !== null) {
        // Moved here by hand out of webhooks.dead: somebody wants it sent again.
        const { redriven } = await redrive({ delivery: dead.deliveryId });
        logger.info({ ...dead, redriven }, "dead letter moved by hand");
        return "ack";
      }
      logger.error({ messageId: message.messageId }, "delivery job is unreadable");
      return "reject";
    }
    const taken = await take(job);
    // Back from a retry queue; or done already, paused, cancelled, or in another's hands: the database knows, and the
    // message is of no more use.
    if (taken === null) {
      await requeueDue(job);
      failPoint("dispatch.requeued");
      return "ack";
    }
    failPoint("dispatch.claimed");
    const attempt = await send(taken);
    failPoint("dispatch.sent");
    await settle(taken, attempt);
    failPoint("dispatch.settled");
    return "ack";
  };
}
