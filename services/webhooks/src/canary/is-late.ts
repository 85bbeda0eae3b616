// When the canary counts as lost sight of: the decision behind the entry `canary` of /readyz/deep. Pure.

/** So one that is slow, or repeated once, alarms nobody. */
const PERIODS_MAX = 3;

/**
 * In: how old the last one is; how long this process has been watching, since a platform that was switched off overnight
 * is not late in the morning before it has had its three periods; and the period.
 */
export function isLate(
  last: { readonly ageSeconds: number },
  watchedSeconds: number,
  everyMs: number,
): boolean {
  return Math.min(last.ageSeconds, watchedSeconds) * 1_000 > PERIODS_MAX * everyMs;
}
