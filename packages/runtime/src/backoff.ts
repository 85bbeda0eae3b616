export interface BackoffLimits {
  readonly minMs: number;
  readonly maxMs: number;
  /**
   * `"full"` picks a random time between 0 and the backoff, so that clients which failed together do not retry together.
   * `"none"` by default.
   */
  readonly jitter?: "none" | "full";
}

/**
 * Returns the exponential backoff in ms: `minMs` before the first retry, doubled for each further one, at most `maxMs`. `random` is
 * for tests.
 */
export function backoff(
  retryCount: number,
  { minMs, maxMs, jitter = "none" }: BackoffLimits,
  random: () => number = Math.random,
): number {
  const waitMs = Math.min(minMs * 2 ** retryCount, maxMs);
  return jitter === "full" ? random() * waitMs : waitMs;
}
