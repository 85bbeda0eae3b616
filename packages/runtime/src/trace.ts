// W3C trace context by hand: one header, made at the gateway and handed on through HTTP, outbox and broker.
import { takeRandomBytes } from "./random.ts";

/** True for a well-formed version 00 `traceparent` with non-zero ids. */
export function isTraceparent(value: string | undefined): value is string {
  return value !== undefined && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(value);
}

/** A new trace, sampled. */
export function newTraceparent(): string {
  return `00-${takeRandomBytes(16).toString("hex")}-${takeRandomBytes(8).toString("hex")}-01`;
}

/** The same trace with a span id of our own; a new trace where the parent is missing or malformed. */
export function childTraceparent(parent: string | undefined): string {
  if (!isTraceparent(parent)) return newTraceparent();
  const [version, traceId, , flags] = parent.split("-");
  return `${version}-${traceId}-${takeRandomBytes(8).toString("hex")}-${flags}`;
}
