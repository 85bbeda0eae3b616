// How much processor time each program has taken: a server with all the processes it consists of.
import { readdir, readFile } from "node:fs/promises";
import type { Platform } from "@tradepost/devstack";

/** Programs by name, each the pid of its first process. */
export type Programs = Readonly<Record<string, number>>;

/** The current pids; a restarted process counts from its restart. */
export function pidsOf({ services, pid }: Platform): Programs {
  const names = [...services.map(({ name }) => name), "postgres", "rabbitmq"];
  return Object.fromEntries(names.map((name) => [name, pid(name) ?? 0]));
}

const TICKS_A_SECOND = 100;

interface Stat {
  readonly parent: number;
  /** Its own, and of its children that have ended. */
  readonly ticks: number;
}

/**
 * Out: milliseconds of processor time by program since it started, of all the processes that it consists of. Empty where
 * there is no /proc to ask.
 */
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
    if (name !== undefined) totals[name] = (totals[name] ?? 0) + (ticks * 1_000) / TICKS_A_SECOND;
  }
  return totals;
}

function statOf(text: string): Stat {
  // What comes before is the program's name, which may hold anything.
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

/** In: what `processorTime` said before and after, and how many units of work were done. Out: ms a unit. */
export function perUnit(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  units: number,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after).map(([name, ms]) => [
      name,
      Math.round(((ms - (before[name] ?? 0)) / units) * 1_000) / 1_000,
    ]),
  );
}
