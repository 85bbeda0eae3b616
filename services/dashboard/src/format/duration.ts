// Durations as people read them. Pure.

/** `120 ms`, `10.0 s`. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
