// Returns memory to the system after a load. V8 collects garbage when a process allocates, so a process that has come to rest would
// keep what its last requests left.
import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

const heapBytes = () => getHeapStatistics().total_heap_size;

const LOOK_EVERY_MS = 30_000;
/** The share of the time that the event loop is busy. A service without requests stays below a hundredth. */
const BUSY_AT_REST_MAX = 0.02;
/** A collection stops the process for 30 ms or more, so there must be something to gain. */
const GROWTH_MIN_BYTES = 8 * 1024 * 1024;

/** Collects garbage whenever the process has come to rest. Does nothing in a Node without `--expose-gc`. */
export function collectAtRest(lookEveryMs = LOOK_EVERY_MS): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  let last = performance.eventLoopUtilization();
  let sizeAfterCollection = 0;
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    if (utilization > BUSY_AT_REST_MAX) return;
    if (heapBytes() < sizeAfterCollection + GROWTH_MIN_BYTES) return;
    // Any other collection keeps the freed pages for later.
    gc({ type: "major", flavor: "last-resort" });
    sizeAfterCollection = heapBytes();
  }, lookEveryMs).unref();
}
