// Sends spans to an OpenTelemetry collector over OTLP/HTTP, if OTEL_EXPORTER_OTLP_ENDPOINT names one (interface §14). Spans are
// recorded explicitly: libraries that patch others cost a small service most of its throughput.
//
// Guarantees. Recording never waits and never throws. A slow collector costs at most the memory of the queue; spans that do not
// fit are dropped and counted.
import { sharedRead } from "./batch.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import { isSampled, isTraceparent } from "./traceparent.ts";

export interface Span {
  readonly name: string;
  readonly kind: keyof typeof KINDS;
  /** Has the span's own trace id and span id. */
  readonly traceparent: string;
  readonly parent: string | undefined;
  readonly durationMs: number;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly hasFailed: boolean;
}

export interface Tracer {
  readonly isOn: boolean;
  record(span: Span): void;
  /** Sends the remaining spans, for at most 2 s. */
  stop(): Promise<void>;
}

export const NO_TRACER: Tracer = { isOn: false, record: () => undefined, stop: async () => undefined };

const KINDS = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;
const STATUS_ERROR = 2;

// A span takes about 500 bytes.
const QUEUE_SPANS_MAX = 4_096;
const BATCH_SPANS_MAX = 512;
const SEND_EVERY_MS = 1_000;
const REQUEST_TIMEOUT_MS = 5_000;
const STOP_TIMEOUT_MS = 2_000;
const WARN_EVERY_MS = 60_000;

/** Starts to send spans; does nothing without an `endpoint`. */
export function startTracer(options: {
  service: string;
  endpoint: string | undefined;
  metrics: Metrics;
  logger: Logger;
}): Tracer {
  const { service, endpoint, logger } = options;
  if (endpoint === undefined) return NO_TRACER;
  const url = `${endpoint.replace(/\/$/, "")}/v1/traces`;
  const dropped = options.metrics.counter(
    "otlp_spans_dropped_total",
    "Spans that the collector did not take, or that did not fit into the queue.",
  );
  const stopping = new AbortController();
  let queue: object[] = [];
  let timer: NodeJS.Timeout | undefined;
  let warnedAt = Number.NEGATIVE_INFINITY;

  /** A slow collector has only one request at a time. */
  const sendAll = sharedRead(async () => {
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH_SPANS_MAX);
      queue = queue.slice(BATCH_SPANS_MAX);
      try {
        await send(batch, url, service, stopping.signal);
      } catch (error) {
        dropped.inc(batch.length);
        if (performance.now() - warnedAt < WARN_EVERY_MS) continue;
        warnedAt = performance.now();
        logger.warn({ err: error }, "the collector did not take spans");
      }
    }
  });

  const sendLater = () => {
    timer = undefined;
    void sendAll();
  };

  return {
    isOn: true,
    record: (span) => {
      if (!isSampled(span.traceparent)) return;
      if (queue.length >= QUEUE_SPANS_MAX) return dropped.inc();
      queue.push(encoded(span));
      if (queue.length >= BATCH_SPANS_MAX) void sendAll();
      else if (timer === undefined) timer = setTimeout(sendLater, SEND_EVERY_MS).unref();
    },
    stop: async () => {
      const deadline = setTimeout(() => stopping.abort(), STOP_TIMEOUT_MS);
      // The loop in progress may have found the queue empty before the last spans were added.
      await sendAll();
      await sendAll();
      clearTimeout(deadline);
    },
  };
}

async function send(
  spans: readonly object[],
  url: string,
  service: string,
  stopping: AbortSignal,
): Promise<void> {
  const resource = {
    attributes: attributesOf({ "service.name": service, "service.namespace": "tradepost" }),
  };
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "tradepost" }, spans }] }],
    }),
    redirect: "error",
    signal: AbortSignal.any([AbortSignal.timeout(REQUEST_TIMEOUT_MS), stopping]),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`status ${response.status}`);
}

function encoded({ name, kind, traceparent, parent, durationMs, attributes, hasFailed }: Span): object {
  const end = performance.timeOrigin + performance.now();
  return {
    traceId: traceparent.slice(3, 35),
    spanId: traceparent.slice(36, 52),
    ...(isTraceparent(parent) && { parentSpanId: parent.slice(36, 52) }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(end - durationMs),
    endTimeUnixNano: nanoseconds(end),
    attributes: attributesOf(attributes),
    status: hasFailed ? { code: STATUS_ERROR } : {},
  };
}

/** Returns text, because a number would lose digits. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}

function attributesOf(attributes: Span["attributes"]): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [{ key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } }],
  );
}
