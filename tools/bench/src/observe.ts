// Observes the processor time that a run costs the platform.

import { readdir, readFile } from "node:fs/promises";
import { SERVICES } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import type { MeasuredPlatform } from "./platform.ts";

interface Observed<Outcome> {
  readonly outcome: Outcome;
  readonly cpuMs: Readonly<Record<string, number>>;
}

/** Runs a function once, and rejects if it rejects. */
export type Observe = <Outcome>(run: () => Promise<Outcome>) => Promise<Observed<Outcome>>;

/** A program that restarts during a run is counted from its restart. */
export function observePlatform(platform: MeasuredPlatform): Observe {
  return async (run) => {
    const programsBefore = pidsOf(platform);
    const before = await processorTime(programsBefore);
    const outcome = await run();
    const programs = pidsOf(platform);
    const after = await processorTime(programs);
    const since = (name: string) => (programs[name] === programsBefore[name] ? (before[name] ?? 0) : 0);
    const cpuMs = Object.entries(after).map(([name, ms]) => [name, ms - since(name)]);
    return { outcome, cpuMs: Object.fromEntries(cpuMs) };
  };
}

const TAIL_MS = 1_000;

/** Observes also what follows a run at once: the relay of its last events, the record of their deliveries. */
export function observeToRest<Outcome>(
  { observe }: { readonly observe: Observe },
  run: () => Promise<Outcome>,
): Promise<Observed<Outcome>> {
  return observe(async () => {
    const outcome = await run();
    await sleep(TAIL_MS);
    return outcome;
  });
}

type Programs = Readonly<Record<string, number>>;

function pidsOf({ pid }: MeasuredPlatform): Programs {
  const names = [...SERVICES, "postgres", "rabbitmq"];
  return Object.fromEntries(names.map((name) => [name, pid(name) ?? 0]));
}

const TICK_MS = 10;

interface Stat {
  readonly parent: number;
  readonly ownMs: number;
  readonly exitedChildrenMs: number;
}

/** Milliseconds since each program's start. Empty without /proc. */
async function processorTime(programs: Programs): Promise<Record<string, number>> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = new Map<number, Stat>();
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    if (text !== "") stats.set(Number(pid), statOf(text));
  }
  const totals: Record<string, number> = {};
  for (const [pid, { ownMs, exitedChildrenMs }] of stats) {
    const name = programOf(pid, stats, programs);
    if (name === undefined) continue;
    totals[name] = (totals[name] ?? 0) + ((await preciseMs(pid)) ?? ownMs) + exitedChildrenMs;
  }
  return totals;
}

/** The time of the threads in nanoseconds: at rest, a process takes less than a tick for seconds. Undefined if the kernel does not count it. */
async function preciseMs(pid: number): Promise<number | undefined> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const times = threads.map(async (thread) => {
    const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8").catch(() => "");
    // A thread that has just ended has none.
    return (Number.parseInt(text, 10) || 0) / 1_000_000;
  });
  const total = (await Promise.all(times)).reduce((sum, ms) => sum + ms, 0);
  return total > 0 ? total : undefined;
}

function statOf(text: string): Stat {
  // The program's name, in parentheses, may contain spaces and parentheses.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
  return {
    parent: fields[1] ?? 0,
    ownMs: (user + system) * TICK_MS,
    exitedChildrenMs: (childrenUser + childrenSystem) * TICK_MS,
  };
}

function programOf(pid: number, stats: ReadonlyMap<number, Stat>, programs: Programs): string | undefined {
  for (let at = pid; at > 1; at = stats.get(at)?.parent ?? 0) {
    const found = Object.entries(programs).find(([, first]) => first === at);
    if (found !== undefined) return found[0];
  }
  return undefined;
}

export function perUnit(cpuMs: Readonly<Record<string, number>>, units: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(cpuMs).map(([name, ms]) => [name, Math.round((ms / units) * 1_000) / 1_000]),
  );
}

export function sum(cpuMs: Readonly<Record<string, number>>): number {
  return Object.values(cpuMs).reduce((total, ms) => total + ms, 0);
}
