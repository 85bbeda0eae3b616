// Turns an event into one delivery for each matching subscription: insert, acknowledge, and start what may start at once.
// After a crash at any point the message is redelivered, and repeating it changes nothing.
import type { ConsumeResult, Event, IncomingMessage } from "@tradepost/messaging";
import {
  batch,
  childTraceparent,
  type Logger,
  sleep,
  type Tracer,
  traceIdOf,
  withoutRedaction,
} from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { eventKey } from "../delivery/delivery.ts";
import type { Scheduler, StartedDelivery } from "../sending/sending.ts";
import { insertDeliveries } from "./insert-deliveries.ts";
import { limitBytes } from "./limit-bytes.ts";
import { type ReceivedEvent, receivedEvent } from "./received-event.ts";

const BATCH_EVENTS_MAX = 100;
// A decoded event takes several times its size in memory.
const BYTES_IN_PROGRESS_MAX = 8 * 1024 * 1024;
// If a subscription is locked for longer, the next batch starts without waiting for it.
const MAX_WAIT_MS = 50;
// While all slots for proven endpoints are taken, a batch waits this long for one: inserting a delivery as claimed is cheaper
// than inserting it as waiting and claiming it later.
const PACE_MAX_MS = 25;
const PACE_CHECK_MS = 2;

/** Returns the handler for the queue `webhooks.events`. */
export function fanOutHandler(options: {
  pool: Pool;
  scheduler: Scheduler;
  /** How long a claim lasts, in ms. */
  lockMs: number;
  /** Attempts deliveries; does not wait for the attempts. */
  start: (started: readonly StartedDelivery[]) => void;
  /** Runs when deliveries wait for their endpoint's turn. */
  onWaiting: () => void;
  /** Runs when these listeners have deliveries to lease. */
  onLeasable: (listenerIds: readonly string[]) => void;
  logger: Logger;
  tracer: Tracer;
}) {
  const { pool, scheduler, lockMs, start, onWaiting, onLeasable, logger, tracer } = options;
  const summaries = withoutRedaction(logger);
  const isKnown = knownEvents(pool);
  const fanOut = batch({
    itemsMax: BATCH_EVENTS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    /** Returns the number of new deliveries of each event. */
    work: async (events: readonly ReceivedEvent[]): Promise<number[]> => {
      await pace(scheduler);
      const { started, waiting, listenerIds, deliveryCounts } = await insertDeliveries(
        pool,
        scheduler,
        events,
        lockMs,
      );
      failPoint("fan-out.committed");
      start(started);
      for (const endpoint of waiting) scheduler.addWaiting(endpoint);
      if (waiting.length > 0) onWaiting();
      if (listenerIds.length > 0) onLeasable(listenerIds);
      return events.map((event) => deliveryCounts.get(eventKey(event.tenant_id, event.id)) ?? 0);
    },
  });
  const limited = limitBytes(BYTES_IN_PROGRESS_MAX);
  const handle = async (message: IncomingMessage): Promise<ConsumeResult> => {
    const decoded = receivedEvent(message);
    if ("fault" in decoded) {
      logger.error({ messageId: message.messageId, fault: decoded.fault }, "event is unreadable");
      return "reject";
    }
    const event = tracer.isOn ? continued(decoded.event) : decoded.event;
    if (message.headers.replayed === true && (await isKnown(event))) return "ack";
    const startedAt = performance.now();
    const deliveryCount = await fanOut(event);
    if (tracer.isOn && event.traceparent !== null) {
      tracer.record({
        name: `fan out ${event.type}`,
        kind: "consumer",
        traceparent: event.traceparent,
        parent: decoded.event.traceparent ?? undefined,
        durationMs: performance.now() - startedAt,
        attributes: {
          "messaging.system": "rabbitmq",
          "messaging.message.id": event.id,
          "tradepost.deliveries": deliveryCount,
        },
        hasFailed: false,
      });
    }
    summaries.info(
      {
        eventId: event.id,
        type: event.type,
        tenantId: event.tenant_id,
        requestId: event.request_id,
        traceId: traceIdOf(event.traceparent),
        deliveryCount,
      },
      "event fanned out",
    );
    return "ack";
  };
  return (message: IncomingMessage) => limited(message.content.length, () => handle(message));
}

/** The event with a span of its own, which the attempts of its deliveries have as their parent. */
function continued(event: ReceivedEvent): ReceivedEvent {
  return event.traceparent === null ? event : { ...event, traceparent: childTraceparent(event.traceparent) };
}

async function pace(scheduler: Pick<Scheduler, "freeProven">): Promise<void> {
  const deadline = performance.now() + PACE_MAX_MS;
  while (scheduler.freeProven === 0 && performance.now() < deadline) await sleep(PACE_CHECK_MS);
}

const LOOKED_UP_EVENTS_MAX = 200;

/** Returns a function that says whether an event was fanned out before. A replay sends mostly such events. */
function knownEvents(pool: Pool): (event: Event) => Promise<boolean> {
  return batch({
    itemsMax: LOOKED_UP_EVENTS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (events: readonly Event[]) => {
      const { rows } = await pool.query<{ tenantId: string; id: string }>(FIND_KNOWN, [
        [...new Set(events.map((event) => event.tenant_id))],
        events.map((event) => event.id),
      ]);
      const known = new Set(rows.map(({ tenantId, id }) => eventKey(tenantId, id)));
      return events.map((event) => known.has(eventKey(event.tenant_id, event.id)));
    },
  });
}

const FIND_KNOWN = `
  select tenant_id as "tenantId", id from events where tenant_id = any($1::uuid[]) and id = any($2::uuid[])`;
