// The processor time of a test run, in yardsticks: the time that this processor takes for a fixed loop. Machines differ by more than
// the tests do from one week to the next.
import { createHash } from "node:crypto";
import { nearestOf, readProcessTimes } from "@tradepost/devstack";

const YARDSTICK_RUNS = 5;

/** Returns the processor time of a fixed loop in seconds, the least of a few runs. About half a second on a processor of 2024. */
export function yardstick(): number {
  return Math.min(...Array.from({ length: YARDSTICK_RUNS }, timeLoop));
}

function timeLoop(): number {
  const start = process.cpuUsage();
  let value = JSON.stringify(Array.from({ length: 200 }, (_, index) => ({ index, name: `item ${index}` })));
  for (let round = 0; round < 4000; round++) {
    const digest = createHash("sha256").update(value).digest("hex");
    value = JSON.stringify({ ...(JSON.parse(value) as object), digest });
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** Returns the processor time of this process's children in seconds, with their children; undefined where there is no /proc. */
export function processorSecondsOfChildren(): number | undefined {
  const processes = readProcessTimes();
  const own = processes.get(process.pid);
  if (own === undefined) return undefined;
  let ms = own.endedMs;
  for (const [pid, { ownMs, endedMs }] of processes) {
    const isBelow = pid !== process.pid && nearestOf([process.pid], pid, processes) !== undefined;
    if (isBelow) ms += ownMs + endedMs;
  }
  return ms / 1_000;
}
