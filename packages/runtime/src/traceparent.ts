// The W3C trace context: one header, which the gateway creates and which travels through HTTP, outbox and broker.
import { pooledRandomBytes } from "./pooled-random-bytes.ts";

/** True for a well-formed version 00 `traceparent` with non-zero ids. */
export function isTraceparent(value: string | undefined): value is string {
  return value !== undefined && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(value);
}

/** Whether the spans of a well-formed `traceparent` should be recorded, as its creator decided. */
export function isSampled(traceparent: string): boolean {
  return (Number.parseInt(traceparent.slice(53, 55), 16) & 1) === 1;
}

/** The trace id of a `traceparent`, for log lines; undefined if it is malformed. */
export function traceIdOf(traceparent: string | null | undefined): string | undefined {
  return isTraceparent(traceparent ?? undefined) ? traceparent?.slice(3, 35) : undefined;
}

/** Starts a new, sampled trace. */
export function newTraceparent(): string {
  return `00-${pooledRandomBytes(16).toString("hex")}-${pooledRandomBytes(8).toString("hex")}-01`;
}

/** Continues the parent's trace with a new span id, or starts a new trace if the parent is missing or malformed. */
export function childTraceparent(parent: string | undefined): string {
  if (!isTraceparent(parent)) return newTraceparent();
  const [version, traceId, , flags] = parent.split("-");
  return `${version}-${traceId}-${pooledRandomBytes(8).toString("hex")}-${flags}`;
}
