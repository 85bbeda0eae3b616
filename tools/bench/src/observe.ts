// The processor time that the platform needs for a run.
import type { Platform } from "@tradepost/devstack";
import { pidsOf, processorTime } from "./processor-time.ts";

export interface Observed<Outcome> {
  readonly outcome: Outcome;
  /** Milliseconds of processor time, by program. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

/** Runs a function once, and rejects when it rejects. */
export type Observe = <Outcome>(run: () => Promise<Outcome>) => Promise<Observed<Outcome>>;

/** A program that restarts during a run counts from its restart. */
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
