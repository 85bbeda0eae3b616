// Keeps long work from blocking everything else in the process.
import { setImmediate } from "node:timers/promises";

// Other requests wait this much longer at most, and so rarely that it costs the work nothing.
const HELD_MS_MAX = 5;

/** Out: to be awaited between the steps of long work; it lets others run once the work has had the event loop for long. */
export function yieldOften(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < HELD_MS_MAX) return;
    await setImmediate();
    since = performance.now();
  };
}
