// Turns an event into one delivery for each matching subscription: inserts them, acknowledges the message, and starts the attempts
// that may start at once. After a crash at any point the message is redelivered; repeating the work changes nothing.
import type { ConsumeResult, Event, IncomingMessage } from "@tradepost/messaging";
import { toStatement } from "@tradepost/postgres";
import {
  batch,
  childTraceparent,
  type Logger,
  type Span,
  sleep,
  type Tracer,
  traceIdOf,
  withoutRedaction,
} from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import { sql } from "kysely";
import type { Pool } from "pg";
import { eventKey } from "../delivery/delivery.ts";
import type { Scheduler, StartedDelivery } from "../sending/sending.ts";
import { insertDeliveries } from "./insert-deliveries.ts";
import { type ReceivedEvent, receivedEvent } from "./received-event.ts";

const BATCH_EVENTS_MAX = 100;
// A decoded event takes several times its size in memory.
const BYTES_IN_PROGRESS_MAX = 8 * 1024 * 1024;
// If a batch waits longer for a locked subscription, the next batch starts without waiting for it.
const MAX_WAIT_MS = 50;
// While all slots for proven endpoints are taken, a batch waits up to this long for one: inserting a delivery as claimed is cheaper
// than inserting it as waiting and claiming it later.
const PACE_MAX_MS = 25;
const PACE_CHECK_MS = 2;

interface Options {
  pool: Pool;
  scheduler: Scheduler;
  lockMs: number;
  start: (started: readonly StartedDelivery[]) => void;
  onWaiting: () => void;
  /** Runs when there are deliveries for these listeners to lease. */
  onLeasable: (listenerIds: readonly string[]) => void;
  logger: Logger;
  tracer: Tracer;
}

export function fanOutHandler(options: Options) {
  const { pool, logger, tracer } = options;
  const summaries = withoutRedaction(logger);
  const isKnown = knownEvents(pool);
  const fanOut = createFanOut(options);
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
      const durationMs = performance.now() - startedAt;
      tracer.record(
        spanOf(event, event.traceparent, decoded.event.traceparent, { durationMs, deliveryCount }),
      );
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

function createFanOut({ pool, scheduler, lockMs, start, onWaiting, onLeasable }: Options) {
  return batch({
    itemsMax: BATCH_EVENTS_MAX,
    maxWaitMs: MAX_WAIT_MS,
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
}

function spanOf(
  { id, type }: ReceivedEvent,
  traceparent: string,
  parent: string | null,
  { durationMs, deliveryCount }: { durationMs: number; deliveryCount: number },
): Span {
  return {
    name: `fan out ${type}`,
    kind: "consumer",
    traceparent,
    parent: parent ?? undefined,
    durationMs,
    attributes: {
      "messaging.system": "rabbitmq",
      "messaging.message.id": id,
      "tradepost.deliveries": deliveryCount,
    },
    hasFailed: false,
  };
}

/** Gives the event a new span, the parent of the spans of its deliveries' attempts. */
function continued(event: ReceivedEvent): ReceivedEvent {
  return event.traceparent === null ? event : { ...event, traceparent: childTraceparent(event.traceparent) };
}

async function pace(scheduler: Pick<Scheduler, "freeProven">): Promise<void> {
  const deadline = performance.now() + PACE_MAX_MS;
  while (scheduler.freeProven === 0 && performance.now() < deadline) await sleep(PACE_CHECK_MS);
}

const LOOKED_UP_EVENTS_MAX = 200;

/** Tells whether an event was already fanned out, as most events that a replay sends. */
function knownEvents(pool: Pool): (event: Event) => Promise<boolean> {
  return batch({
    itemsMax: LOOKED_UP_EVENTS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (events: readonly Event[]) => {
      const tenantIds = [...new Set(events.map((event) => event.tenant_id))];
      const ids = events.map((event) => event.id);
      const { rows } = await pool.query<{ tenantId: string; id: string }>(
        toStatement(sql`
          select tenant_id as "tenantId", id from events
           where tenant_id = any(${tenantIds}::uuid[]) and id = any(${ids}::uuid[])`),
      );
      const known = new Set(rows.map(({ tenantId, id }) => eventKey(tenantId, id)));
      return events.map((event) => known.has(eventKey(event.tenant_id, event.id)));
    },
  });
}

/** Limits the bytes of messages that are handled at a time. A message above the limit is handled by itself. */
export function limitBytes(bytesMax: number) {
  const waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  let bytesInProgress = 0;

  function startNext(): void {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      if (bytesInProgress > 0 && bytesInProgress + next.bytes > bytesMax) return;
      waiting.shift();
      bytesInProgress += next.bytes;
      next.start();
    }
  }

  return async <Result>(bytes: number, work: () => Promise<Result>): Promise<Result> => {
    await new Promise<void>((start) => {
      waiting.push({ bytes, start });
      startNext();
    });
    try {
      return await work();
    } finally {
      bytesInProgress -= bytes;
      startNext();
    }
  };
}
