import { setImmediate } from "node:timers/promises";

// Other requests wait at most this much longer, and yielding this rarely costs the work almost nothing.
const BLOCK_MS_MAX = 5;

/**
 * Returns a function to await between the steps of long work. It lets other requests run if the work has blocked the event
 * loop for 5 ms, and otherwise resolves at once.
 */
export function yieldPeriodically(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < BLOCK_MS_MAX) return;
    await setImmediate();
    since = performance.now();
  };
}
