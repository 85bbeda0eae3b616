// The processor time of a test run, in yardsticks: the time that this processor takes for a fixed loop. Machines differ by more than
// the tests do from one week to the next.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

// Linux counts processor time in 1/100 s for programs, whatever the kernel's own clock.
const TICKS_PER_SECOND = 100;
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
  const processes = readProcesses();
  const own = processes.get(process.pid);
  if (own === undefined) return undefined;
  let ticks = own.ended;
  const family = new Set([process.pid]);
  // A child may have a lower number than its parent.
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const [pid, { parent }] of processes) if (family.has(parent)) family.add(pid);
  }
  family.delete(process.pid);
  for (const pid of family) {
    const { running, ended } = processes.get(pid) ?? { running: 0, ended: 0 };
    ticks += running + ended;
  }
  return ticks / TICKS_PER_SECOND;
}

interface Times {
  parent: number;
  /** Ticks of the process itself. */
  running: number;
  /** Ticks of its children that have ended. */
  ended: number;
}

function readProcesses(): Map<number, Times> {
  const processes = new Map<number, Times>();
  for (const pid of readable(() => readdirSync("/proc").filter((name) => /^\d+$/.test(name))) ?? []) {
    // The program's name, in parentheses, may contain spaces.
    const fields = readable(() =>
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")
        .map(Number),
    );
    if (fields === undefined) continue;
    const [, parent = 0] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
    processes.set(Number(pid), { parent, running: user + system, ended: endedUser + endedSystem });
  }
  return processes;
}

/** Returns undefined if a file is missing: the process has ended, or the system has no /proc. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
