// Medians, spreads and percentiles. Pure.

export type Spread = ReturnType<typeof spread>;
export type Percentiles = ReturnType<typeof percentiles>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? nearest(sorted, 0.5)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

export function spread(values: readonly number[]) {
  return { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) };
}

export function textOf({ median, lowest, highest }: Spread): string {
  return `${median.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;
}

export function rounded(value: number, digits: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(digits);
}

export function percentiles(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Math.round(nearest(sorted, share) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99) };
}

function nearest(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

/** Milliseconds since the epoch, finer than `Date.now()` and comparable between threads. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
