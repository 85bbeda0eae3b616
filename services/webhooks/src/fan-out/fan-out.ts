// Turns each event into one delivery for each subscription that wants it, once: insert, publish, only then
// acknowledge. A crash anywhere in between repeats harmlessly.
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
import { type Job, jobMessage } from "../delivery/job.ts";
import { DELIVERIES_QUEUE } from "../topology.ts";
import { insertDeliveries } from "./insert-deliveries.ts";
import { startFindingKnown } from "./known-events.ts";
import { limitBytes } from "./limit-bytes.ts";

// Events that come while others are fanned out share the next transaction, up to this many.
const BATCH_EVENTS_MAX = 100;
// Decoded, an event takes several times its bytes.
const BYTES_IN_WORK_MAX = 8 * 1024 * 1024;
// Where a subscription is locked for longer, the events after it do not wait for it.
const MAX_WAIT_MS = 50;

/** Out: the handler for the queue `webhooks.events`. */
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
  const isKnown = startFindingKnown(pool);
  const deliver = batch({
    itemsMax: BATCH_EVENTS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: (events: readonly Event[]) => fanOut(pool, publisher, events),
  });
  const withinBytes = limitBytes(BYTES_IN_WORK_MAX);
  const take = async (message: IncomingMessage): Promise<ConsumeResult> => {
    const decoded = decodeEvent(message.content);
    if ("fault" in decoded) {
      logger.error({ messageId: message.messageId, fault: decoded.fault }, "event is unreadable");
      return "reject";
    }
    const { event } = decoded;
    // A delivery of it that never reached the broker is found by the sweep.
    if (message.headers.replayed === true && (await isKnown(event))) return "ack";
    const deliveryCount = await deliver(event);
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
  return (message: IncomingMessage) => withinBytes(message.content.length, () => take(message));
}

/** Out: for each event, how many deliveries it made. */
async function fanOut(pool: Pool, publisher: Publisher, events: readonly Event[]): Promise<number[]> {
  const { jobs, deliveryCounts } = await insertDeliveries(pool, events);
  failPoint("fan-out.committed");
  await publishJobs(publisher, jobs);
  failPoint("fan-out.published");
  return events.map(({ id }) => deliveryCounts.get(id) ?? 0);
}

/** What is not confirmed is left to the sweep, which finds it in the database. */
async function publishJobs(publisher: Publisher, jobs: readonly Job[]): Promise<void> {
  await Promise.all(jobs.map((job) => publisher.publish(jobMessage(DELIVERIES_QUEUE, job))));
}
