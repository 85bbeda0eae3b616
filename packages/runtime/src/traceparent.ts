// The W3C trace context: one header, which the gateway creates and which travels through HTTP, outbox and broker.
import { pooledRandomBytes } from "./new-id.ts";

/** Version 00, with non-zero ids. */
export function isTraceparent(value: string | undefined): value is string {
  return value !== undefined && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(value);
}

/** Reports the creator's decision in a well-formed `traceparent`. */
export function isSampled(traceparent: string): boolean {
  return (Number.parseInt(traceparent.slice(53, 55), 16) & 1) === 1;
}

/** Undefined if it is malformed. */
export function traceIdOf(traceparent: string | null | undefined): string | undefined {
  return isTraceparent(traceparent ?? undefined) ? traceparent?.slice(3, 35) : undefined;
}

/** Sampled. */
export function newTraceparent(): string {
  return `00-${pooledRandomBytes(16).toString("hex")}-${pooledRandomBytes(8).toString("hex")}-01`;
}

/** Starts a new trace if the parent is missing or malformed. */
export function childTraceparent(parent: string | undefined): string {
  if (!isTraceparent(parent)) return newTraceparent();
  const [version, traceId, , flags] = parent.split("-");
  return `${version}-${traceId}-${pooledRandomBytes(8).toString("hex")}-${flags}`;
}
