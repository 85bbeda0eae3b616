const WAIT_SHARE = 1 / 4;

/**
 * Returns a function for loops that look for work which nobody announces, such as work that a killed process has left. It tells how
 * long to wait, in ms, after a look that found work or none: a quarter of the time in which none was found, at least `minMs` and at
 * most `maxMs`. `now` is for tests.
 */
export function idleWait(
  { minMs = 1_000, maxMs = 5_000 } = {},
  now: () => number = () => performance.now(),
): (foundWork: boolean) => number {
  let idleSince = now();
  return (foundWork) => {
    if (foundWork) idleSince = now();
    return Math.min(Math.max(minMs, (now() - idleSince) * WAIT_SHARE), maxMs);
  };
}
