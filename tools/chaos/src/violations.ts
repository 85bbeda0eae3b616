// Lists how the counts of a run break the guarantees. Pure.
import type { CheckedHistories } from "./history/histories.ts";
import type { Counts } from "./reconcile.ts";
import type { Operation } from "./traffic.ts";

// The statuses after which a client repeats its request. 0 is no response, for example from a killed process.
const RETRYABLE_STATUSES = new Set(["0", "502", "503", "504"]);

/** Returns no violation when all guarantees hold. A run without `histories` has no clients that record them. */
export function violationsOf(
  { mayFailRequests }: { mayFailRequests?: true },
  counts: Counts & { readonly histories?: CheckedHistories },
): string[] {
  const violation = (count: number, what: string) => (count > 0 ? [`${count} ${what}`] : []);
  const failures = Object.entries(counts.failedRequests).filter(
    ([status]) => !mayFailRequests || !RETRYABLE_STATUSES.has(status),
  );
  return [
    ...violation(counts.lost, "lost"),
    ...violation(counts.attempted - counts.acknowledged, "never acknowledged"),
    ...violation(counts.unexpected, "unexpected"),
    ...violation(counts.outOfOrder, "out of order"),
    ...violation(counts.unexpectedExits, "unexpected process exits"),
    ...failures.map(([status, count]) =>
      status === "0" ? `${count} requests without a response` : `${count} responses with ${status}`,
    ),
    ...(counts.recoverySeconds === null ? ["no recovery seen"] : []),
    ...(counts.attempted === 0 ? ["no operation attempted"] : []),
    ...(counts.histories === undefined ? [] : uncheckedIn(counts.histories)),
  ];
}

function uncheckedIn({ checked, operations, timelines }: CheckedHistories): string[] {
  return [
    ...Object.entries(checked).flatMap(([kind, count]) =>
      count === 0 ? [`no history of kind ${kind} checked`] : [],
    ),
    ...(operations === 0 ? ["no operation recorded"] : []),
    ...(timelines === 0 ? ["no timeline compared"] : []),
  ];
}

interface Latency {
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
