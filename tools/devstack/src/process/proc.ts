// Reads what Linux shows of processes in /proc. A process that has ended shows nothing, and other systems have no /proc.
import { readdirSync, readFileSync } from "node:fs";

// Linux counts processor time in 1/100 s for programs, whatever the kernel's own clock.
const TICK_MS = 10;

export interface ProcessTimes {
  readonly parent: number;
  readonly ownMs: number;
  /** Processor time of its children that have ended. */
  readonly endedMs: number;
}

export function readProcessTimes(): ReadonlyMap<number, ProcessTimes> {
  const times = processIds().map((pid) => [pid, timesOf(pid)] as const);
  return new Map(times.filter((entry): entry is [number, ProcessTimes] => entry[1] !== undefined));
}

/** Returns the nearest of `wanted` among the process and the processes that it descends from. */
export function nearestOf(
  wanted: readonly number[],
  pid: number,
  processes: ReadonlyMap<number, ProcessTimes>,
): number | undefined {
  let at = pid;
  while (at > 0 && !wanted.includes(at)) at = processes.get(at)?.parent ?? 0;
  return at > 0 ? at : undefined;
}

export function processIds(): number[] {
  return numbersIn("/proc");
}

/** Returns what /proc/<pid>/stat has after the program's name: first the state. */
export function statOf(pid: number): string[] {
  // The name, in parentheses, may contain spaces and parentheses.
  return textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ");
}

export function residentBytes(pid: number): number | undefined {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`)) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1_024;
}

function timesOf(pid: number): ProcessTimes | undefined {
  const fields = statOf(pid).map(Number);
  const [, parent] = fields;
  if (parent === undefined) return undefined;
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
  return {
    parent,
    ownMs: preciseMs(pid) || (user + system) * TICK_MS,
    endedMs: (endedUser + endedSystem) * TICK_MS,
  };
}

/** The time of the threads in nanoseconds: at rest, a process takes less than a tick for seconds. 0 if the kernel does not count it. */
function preciseMs(pid: number): number {
  const threads = numbersIn(`/proc/${pid}/task`);
  // A thread that has just ended has no time.
  const times = threads.map((thread) => Number.parseInt(textOf(`/proc/${pid}/task/${thread}/schedstat`), 10));
  return times.reduce((sum, nanoseconds) => sum + (nanoseconds || 0), 0) / 1_000_000;
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
