// Takes tallies from webhooks.tallies.
import { type ConsumeResult, decodeTally, type IncomingMessage } from "@tradepost/messaging";
import type { Logger } from "@tradepost/runtime";
import type { Pool } from "pg";
import { EVENTS_QUEUE } from "../delivery/delivery.ts";
import { compareTally } from "./compare-tally.ts";

/**
 * Returns the handler. `onMissing` runs when events, or a tally, have not arrived.
 *
 * An event was in webhooks.events before its tally was published. So once that queue has been empty after the tally was received,
 * each of its events is stored, in progress or lost. Until then the tally waits, for days if the queue has a backlog.
 */
export function startHandleTally(options: { pool: Pool; onMissing: () => void; logger: Logger }) {
  const { pool, onMissing, logger } = options;
  return async (message: IncomingMessage): Promise<ConsumeResult> => {
    const tally = decodeTally(message.content);
    if (tally === null) {
      logger.error({ messageId: message.messageId }, "tally is unreadable; ignored");
      return "ack";
    }
    if ((await message.countReady(EVENTS_QUEUE)) > 0) return "retry";
    if (await compareTally(pool, tally)) onMissing();
    return "ack";
  };
}
