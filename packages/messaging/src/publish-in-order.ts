// Publishes rows of the outbox, or of the published events, as messages (interface §6).
import { childTraceparent, isTraceparent, type Logger, type Tracer } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { AUDIT_EXCHANGE } from "./event.ts";
import { AUDIT_PREFIX } from "./outbox.ts";
import type { OutgoingMessage, Publisher, PublishOutcome } from "./publisher.ts";

export interface RelayContext {
  readonly pool: Pool;
  readonly publisher: Publisher;
  /** Audit entries go to `platform.audit`. */
  readonly exchange: string;
  readonly mustRoute: (type: string) => boolean;
  /** Events of these types count as published without being sent. */
  readonly feedOnlyTypes: readonly string[];
  readonly tracer?: Tracer | undefined;
  readonly logger: Logger;
}

export interface OutboxRow {
  id: string;
  event_id: string;
  aggregate_id: string;
  type: string;
  tenant_id: string;
  occurred_at: Date;
  request_id: string;
  traceparent: string;
  actor: string;
  data: string;
}

/** The columns of an `OutboxRow`, except `actor` and `data`, which are stored as JSON. */
export const ROW_COLUMNS =
  "id, event_id, aggregate_id, type, tenant_id, occurred_at, request_id, traceparent";

export interface RowOutcome {
  readonly row: OutboxRow;
  readonly outcome: PublishOutcome;
}

// Even with a slow broker the batch must end well before the database ends the idle transaction, after 30 s; otherwise its rows
// would never be moved.
const BATCH_TIME_MAX_MS = 10_000;

/**
 * Publishes the events of different aggregates concurrently, and those of one aggregate one after the other, up to the first
 * failure. Returns the outcomes of the events that were sent.
 */
export async function publishInOrder(
  rows: readonly OutboxRow[],
  relay: RelayContext,
  headers: NonNullable<OutgoingMessage["headers"]> = {},
): Promise<RowOutcome[]> {
  const endsAt = performance.now() + BATCH_TIME_MAX_MS;
  const aggregates = Map.groupBy(rows, (row) => row.aggregate_id);
  const outcomes = await Promise.all(
    [...aggregates.values()].map(async (events) => {
      const sent: RowOutcome[] = [];
      for (const row of events) {
        const outcome = await publish(row, relay, headers);
        failPoint("relay.published");
        sent.push({ row, outcome });
        const isSettled = outcome === "confirmed" || outcome === "unencodable";
        if (!isSettled || performance.now() > endsAt) break;
      }
      return sent;
    }),
  );
  return outcomes.flat();
}

async function publish(
  stored: OutboxRow,
  { publisher, exchange: eventsExchange, mustRoute, feedOnlyTypes, tracer }: RelayContext,
  headers: NonNullable<OutgoingMessage["headers"]>,
): Promise<PublishOutcome> {
  if (feedOnlyTypes.includes(stored.type)) return "confirmed";
  const isAudit = stored.type.startsWith(AUDIT_PREFIX);
  const row = isAudit ? { ...stored, type: stored.type.slice(AUDIT_PREFIX.length) } : stored;
  const exchange = isAudit ? AUDIT_EXCHANGE : eventsExchange;
  // An audit entry waits in the outbox until the gateway has bound its queue.
  const message = { exchange, mandatory: isAudit || mustRoute(row.type), headers };
  if (!tracer?.isOn || !isTraceparent(row.traceparent))
    return await publisher.publish(messageOf(row, message));
  const startedAt = performance.now();
  const traceparent = childTraceparent(row.traceparent);
  const outcome = await publisher.publish(messageOf({ ...row, traceparent }, message));
  tracer.record({
    name: `publish ${row.type}`,
    kind: "producer",
    traceparent,
    parent: row.traceparent,
    durationMs: performance.now() - startedAt,
    attributes: {
      "messaging.system": "rabbitmq",
      "messaging.destination.name": exchange,
      "messaging.message.id": row.event_id,
      "tradepost.outcome": outcome,
    },
    hasFailed: outcome !== "confirmed",
  });
  return outcome;
}

function messageOf(
  row: OutboxRow,
  options: Pick<OutgoingMessage, "exchange" | "mandatory" | "headers">,
): OutgoingMessage {
  return {
    exchange: options.exchange,
    routingKey: row.type,
    messageId: row.event_id,
    type: row.type,
    headers: { tenant_id: row.tenant_id, traceparent: row.traceparent, ...options.headers },
    mandatory: options.mandatory,
    content: bodyOf(row),
  };
}

/** Copies the stored JSON into the body as text: parsing and serialising it would cost time and lose digits. */
function bodyOf(row: OutboxRow): Buffer {
  const envelope = JSON.stringify({
    id: row.event_id,
    type: row.type,
    tenant_id: row.tenant_id,
    occurred_at: row.occurred_at.toISOString(),
    request_id: row.request_id,
  });
  const head = `${envelope.slice(0, -1)},"actor":${row.actor},"data":`;
  // Concatenating strings would copy large data once more.
  const headBytes = Buffer.byteLength(head);
  const body = Buffer.allocUnsafe(headBytes + Buffer.byteLength(row.data) + 1);
  body.write(head);
  body.write(row.data, headBytes);
  body.write("}", body.length - 1);
  return body;
}
