// Turns an event into one delivery for each matching subscription: insert, publish, then acknowledge. After a crash at any
// point the message is redelivered, and repeating it changes nothing.
import {
  type ConsumeResult,
  decodeEvent,
  type Event,
  type IncomingMessage,
  type Publisher,
} from "@tradepost/messaging";
import { batch, type Logger, withoutRedaction } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { publishJobs } from "../delivery/publish-jobs.ts";
import { insertDeliveries } from "./insert-deliveries.ts";
import { startIsKnown } from "./is-known.ts";
import { limitBytes } from "./limit-bytes.ts";

const BATCH_EVENTS_MAX = 100;
// A decoded event takes several times its size in memory.
const BYTES_IN_PROGRESS_MAX = 8 * 1024 * 1024;
// If a subscription is locked for longer, the next batch starts without waiting for it.
const MAX_WAIT_MS = 50;

/** Returns the handler for the queue `webhooks.events`. */
export function startFanOut({
  pool,
  publisher,
  logger,
}: {
  pool: Pool;
  publisher: Publisher;
  logger: Logger;
}) {
  const summaries = withoutRedaction(logger);
  const isKnown = startIsKnown(pool);
  const fanOutBatched = batch({
    itemsMax: BATCH_EVENTS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: (events: readonly Event[]) => fanOut(pool, publisher, events),
  });
  const limited = limitBytes(BYTES_IN_PROGRESS_MAX);
  const handle = async (message: IncomingMessage): Promise<ConsumeResult> => {
    const decoded = decodeEvent(message.content);
    if ("fault" in decoded) {
      logger.error({ messageId: message.messageId, fault: decoded.fault }, "event is unreadable");
      return "reject";
    }
    const { event } = decoded;
    // The sweep finds deliveries of it that were never published.
    if (message.headers.replayed === true && (await isKnown(event))) return "ack";
    const deliveryCount = await fanOutBatched(event);
    summaries.info(
      {
        eventId: event.id,
        type: event.type,
        tenantId: event.tenant_id,
        requestId: event.request_id,
        deliveryCount,
      },
      "event fanned out",
    );
    return "ack";
  };
  return (message: IncomingMessage) => limited(message.content.length, () => handle(message));
}

/** Returns the number of new deliveries of each event. */
async function fanOut(pool: Pool, publisher: Publisher, events: readonly Event[]): Promise<number[]> {
  const { jobs, deliveryCounts } = await insertDeliveries(pool, events);
  failPoint("fan-out.committed");
  await publishJobs(publisher, jobs);
  failPoint("fan-out.published");
  return events.map(({ id }) => deliveryCounts.get(id) ?? 0);
}
