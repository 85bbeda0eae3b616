import { readFileSync } from "node:fs";

/** Returns the peak resident memory of a process since it started, in MiB. */
export function peakMib(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1_024);
}
