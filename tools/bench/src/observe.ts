// Observes the processor time that a run costs the platform.

import { readdir, readFile } from "node:fs/promises";
import type { Platform } from "@tradepost/devstack";

interface Observed<Outcome> {
  readonly outcome: Outcome;
  readonly cpuMs: Readonly<Record<string, number>>;
}

/** Runs a function once, and rejects if it rejects. */
export type Observe = <Outcome>(run: () => Promise<Outcome>) => Promise<Observed<Outcome>>;

/** A program that restarts during a run is counted from its restart. */
export function observePlatform(platform: Platform): Observe {
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

type Programs = Readonly<Record<string, number>>;

/** A restarted process counts from its restart. */
export function pidsOf({ services, pid }: Platform): Programs {
  const names = [...services.map(({ name }) => name), "postgres", "rabbitmq"];
  return Object.fromEntries(names.map((name) => [name, pid(name) ?? 0]));
}

const TICKS_PER_SECOND = 100;

interface Stat {
  readonly parent: number;
  /** Includes its children that have exited. */
  readonly ticks: number;
}

/** Milliseconds since each program's start. Empty without /proc. */
export async function processorTime(programs: Programs): Promise<Record<string, number>> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = new Map<number, Stat>();
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    if (text !== "") stats.set(Number(pid), statOf(text));
  }
  const totals: Record<string, number> = {};
  for (const [pid, { ticks }] of stats) {
    const name = programOf(pid, stats, programs);
    if (name !== undefined) totals[name] = (totals[name] ?? 0) + (ticks * 1_000) / TICKS_PER_SECOND;
  }
  return totals;
}

function statOf(text: string): Stat {
  // The program's name, in parentheses, may contain spaces and parentheses.
  const fields = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
  return { parent: fields[1] ?? 0, ticks: fields.slice(11, 15).reduce((sum, value) => sum + value, 0) };
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
