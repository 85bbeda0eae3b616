/** Milliseconds since the epoch, finer than `Date.now()` and comparable between threads. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
