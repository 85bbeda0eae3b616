// Decides whether the canary is late, for /readyz/deep. Pure.

/** A single slow or repeated canary does not count as late. */
const PERIODS_MAX = 3;

/** The canary is never late in the first three periods of a process, so not when the platform was off overnight. */
export function isLate(
  last: { readonly ageSeconds: number },
  watchedSeconds: number,
  everyMs: number,
): boolean {
  return Math.min(last.ageSeconds, watchedSeconds) * 1_000 > PERIODS_MAX * everyMs;
}
