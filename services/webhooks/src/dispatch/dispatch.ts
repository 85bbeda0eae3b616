// One job of the queue `webhooks.deliveries`, from message to settled attempt: take → send → settle. The HTTP call
// stands between two transactions, never inside one.
import type { IncomingMessage, Verdict } from "@tradepost/messaging";
import type { Logger } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import { decodeDeadMessage } from "../delivery/dead-message.ts";
import { decodeJob } from "../delivery/job.ts";
import type { ComeBack } from "./come-back.ts";
import type { Send } from "./send.ts";
import type { Settle } from "./settle.ts";
import type { Take } from "./take.ts";

/** Out: the handler for the queue. */
export function startDispatch({
  take,
  comeBack,
  send,
  settle,
  redrive,
  logger,
}: {
  take: Take;
  comeBack: ComeBack;
  send: Send;
  settle: Settle;
  redrive: (filter: { delivery: string }) => Promise<{ redriven: number }>;
  logger: Logger;
}) {
  return async (message: IncomingMessage): Promise<Verdict> => {
    const job = decodeJob(message.content);
    if (job === null) {
      const dead = decodeDeadMessage(message.content);
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
      await comeBack(job);
      failPoint("dispatch.came-back");
      return "ack";
    }
    failPoint("dispatch.taken");
    const attempt = await send(taken);
    failPoint("dispatch.sent");
    await settle(taken, attempt);
    failPoint("dispatch.settled");
    return "ack";
  };
}
