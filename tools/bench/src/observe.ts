// Observes the processor time that a run costs the platform.
import { nearestOf, readProcessTimes, SERVICES } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import type { MeasuredPlatform } from "./platform.ts";

export type Observe = ReturnType<typeof observePlatform>;

/** Returns a function that runs `run` once, and rejects if it rejects. A program that restarts meanwhile is counted from its restart. */
export function observePlatform(platform: MeasuredPlatform) {
  return async <Outcome>(run: () => Promise<Outcome>) => {
    const programsBefore = pidsOf(platform);
    const before = processorTime(programsBefore);
    const outcome = await run();
    const programs = pidsOf(platform);
    const after = processorTime(programs);
    const since = (name: string) => (programs[name] === programsBefore[name] ? (before[name] ?? 0) : 0);
    const cpuMs = Object.entries(after).map(([name, ms]) => [name, ms - since(name)] as const);
    return { outcome, cpuMs: Object.fromEntries(cpuMs) };
  };
}

const TAIL_MS = 1_000;

/** Also observes the work right after a run: the relay of its last events, the record of their deliveries. */
export function observeToRest<Outcome>(
  { observe }: { readonly observe: Observe },
  run: () => Promise<Outcome>,
) {
  return observe(async () => {
    const outcome = await run();
    await sleep(TAIL_MS);
    return outcome;
  });
}

function pidsOf({ pid }: MeasuredPlatform): Record<string, number> {
  const names = [...SERVICES, "postgres", "rabbitmq"];
  return Object.fromEntries(names.map((name) => [name, pid(name) ?? 0]));
}

/** Milliseconds since each program's start. Empty without /proc. */
function processorTime(programs: Readonly<Record<string, number>>): Record<string, number> {
  const names = new Map(Object.entries(programs).map(([name, pid]) => [pid, name]));
  const processes = readProcessTimes();
  const totals: Record<string, number> = {};
  for (const [pid, { ownMs, endedMs }] of processes) {
    const program = nearestOf([...names.keys()], pid, processes);
    const name = program === undefined ? undefined : names.get(program);
    if (name !== undefined) totals[name] = (totals[name] ?? 0) + ownMs + endedMs;
  }
  return totals;
}

export function perUnit(cpuMs: Readonly<Record<string, number>>, units: number): Record<string, number> {
  return Object.fromEntries(
    Object.entries(cpuMs).map(([name, ms]) => [name, Math.round((ms / units) * 1_000) / 1_000]),
  );
}

export function sum(cpuMs: Readonly<Record<string, number>>): number {
  return Object.values(cpuMs).reduce((total, ms) => total + ms, 0);
}
