// Handles the messages of `webhooks.events`: decodes each, fans it out and acknowledges it.
import { isOfOrders } from "@tradepost/event-catalog/order-events";
import type { ConsumeResult, Event, IncomingMessage } from "@tradepost/messaging";
import { toStatement } from "@tradepost/postgres";
import {
  batch,
  childTraceparent,
  type Logger,
  type Span,
  type Tracer,
  traceIdOf,
  withoutRedaction,
} from "@tradepost/runtime";
import { sql } from "kysely";
import type { Pool } from "pg";
import { ids } from "../delivery/delivery.ts";
import type { FanOut } from "./fan-out.ts";
import { type ReceivedEvent, receivedEvent } from "./received-event.ts";

// A decoded event takes several times its size in memory.
const BYTES_IN_PROGRESS_MAX = 8 * 1024 * 1024;

export function eventHandler(options: {
  pool: Pool;
  fanOut: FanOut;
  more: readonly string[];
  logger: Logger;
  tracer: Tracer;
}) {
  const { pool, fanOut, more, logger, tracer } = options;
  const summaries = withoutRedaction(logger);
  const isKnown = knownEvents(pool);
  const limited = limitBytes(BYTES_IN_PROGRESS_MAX);
  const handle = async (message: IncomingMessage): Promise<ConsumeResult> => {
    const decoded = receivedEvent(message);
    if ("fault" in decoded) {
      logger.error({ messageId: message.messageId, fault: decoded.fault }, "event is unreadable");
      return "reject";
    }
    const { type } = decoded.event;
    // The type was taken out of the setting meanwhile.
    if (isOfOrders(type) && !more.includes(type)) return "ack";
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

/** The new span is the parent of the spans of the event's attempts. */
function continued(event: ReceivedEvent): ReceivedEvent {
  return event.traceparent === null ? event : { ...event, traceparent: childTraceparent(event.traceparent) };
}

const LOOKED_UP_EVENTS_MAX = 200;
const MAX_WAIT_MS = 50;

/** Most events of a replay were fanned out before. */
function knownEvents(pool: Pool): (event: Event) => Promise<boolean> {
  return batch({
    itemsMax: LOOKED_UP_EVENTS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    work: async (events: readonly Event[]) => {
      const tenantIds = [...new Set(events.map((event) => event.tenant_id))];
      const eventIds = events.map((event) => event.id);
      const { rows } = await pool.query<{ tenantId: string; id: string }>(
        toStatement(sql`
          select tenant_id as "tenantId", id from events
           where tenant_id = any(${tenantIds}::uuid[]) and id = any(${eventIds}::uuid[])`),
      );
      const known = new Set(rows.map(({ tenantId, id }) => ids.eventKey(tenantId, id)));
      return events.map((event) => known.has(ids.eventKey(event.tenant_id, event.id)));
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
