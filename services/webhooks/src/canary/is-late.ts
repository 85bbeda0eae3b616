// Decides whether the canary is late, for /readyz/deep. Pure.

/** A single slow or repeated canary does not count as late. */
const PERIODS_MAX = 3;

/** A process that has watched for less than three periods is never late, for example after a night switched off. */
export function isLate(
  last: { readonly ageSeconds: number },
  watchedSeconds: number,
  everyMs: number,
): boolean {
  return Math.min(last.ageSeconds, watchedSeconds) * 1_000 > PERIODS_MAX * everyMs;
}
