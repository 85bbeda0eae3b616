// How long the requests of a stream took before, during and after a fault. Pure.
import type { Operation } from "./stream.ts";

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** How long requests may take while a fault lasts through which the stream must stay fast. */
const DURING_P99_MS_MAX = 3_000;
/** As fast as before: more than this and the double of before is slower. */
const AFTER_SLACK_MS = 250;

/**
 * Of the operations that began within a time, tries again included. One without a response took until `now`. Undefined
 * where none began.
 */
export function latencyOf(
  operations: readonly Operation[],
  within: { readonly from: number; readonly to: number },
  now: number,
): Latency | undefined {
  const took = operations
    .filter(({ startedAt }) => startedAt >= within.from && startedAt < within.to)
    .map(({ startedAt, acknowledgedAt }) => (acknowledgedAt ?? now) - startedAt);
  return quantiles(took);
}

export function quantiles(values: readonly number[]): Latency | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  const [p50Ms, p99Ms] = [at(0.5), at(0.99)];
  return p50Ms === undefined || p99Ms === undefined ? undefined : { p50Ms, p99Ms };
}

/** In: a stream's latencies around a fault. Out: in words, what is slower than promised. */
export function slowness(around: {
  readonly before: Latency | undefined;
  readonly during: Latency | undefined;
  readonly after: Latency | undefined;
}): string[] {
  const { before, during, after } = around;
  const isSlowDuring = during !== undefined && during.p99Ms > DURING_P99_MS_MAX;
  const isSlowAfter =
    before !== undefined && after !== undefined && after.p50Ms > 2 * before.p50Ms + AFTER_SLACK_MS;
  return [
    ...(isSlowDuring ? [`1 of 100 requests took longer than ${seconds(during.p99Ms)} during the fault`] : []),
    ...(isSlowAfter ? [`half of the requests took longer than ${seconds(after.p50Ms)} after the fault`] : []),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
