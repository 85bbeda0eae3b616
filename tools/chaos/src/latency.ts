// Latencies of the traffic before, during and after a fault. Pure.
import type { Operation } from "./traffic.ts";

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const DURING_P99_MS_MAX = 3_000;
/** The p50 after a fault must not exceed twice the p50 before it plus this. */
const AFTER_SLACK_MS = 250;

/**
 * Covers the operations that began in `window`, with their retries. An operation that is not acknowledged counts until `now`.
 * Returns undefined if none began.
 */
export function latencyOf(
  operations: readonly Operation[],
  window: { readonly from: number; readonly to: number },
  now: number,
): Latency | undefined {
  const durations = operations
    .filter(({ startedAt }) => startedAt >= window.from && startedAt < window.to)
    .map(({ startedAt, acknowledgedAt }) => (acknowledgedAt ?? now) - startedAt);
  return percentiles(durations);
}

export function percentiles(durationsMs: readonly number[]): Latency | undefined {
  const sorted = [...durationsMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  const [p50Ms, p99Ms] = [at(0.5), at(0.99)];
  return p50Ms === undefined || p99Ms === undefined ? undefined : { p50Ms, p99Ms };
}

export function latencyViolations(latencies: {
  readonly before: Latency | undefined;
  readonly during: Latency | undefined;
  readonly after: Latency | undefined;
}): string[] {
  const { before, during, after } = latencies;
  const isSlowDuring = during !== undefined && during.p99Ms > DURING_P99_MS_MAX;
  const isSlowAfter =
    before !== undefined && after !== undefined && after.p50Ms > 2 * before.p50Ms + AFTER_SLACK_MS;
  return [
    ...(isSlowDuring ? [`p99 latency of ${seconds(during.p99Ms)} during the fault`] : []),
    ...(isSlowAfter ? [`p50 latency of ${seconds(after.p50Ms)} after the fault`] : []),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
