// What a run costs the platform: processor time, and with `--profile` and `--statements` where it goes.
import type { Platform } from "@tradepost/devstack";
import { pidsOf, processorTime } from "./processor-time.ts";

interface Observed<Outcome> {
  readonly outcome: Outcome;
  /** Milliseconds of processor time, by program. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

/** Runs a function once, and rejects when it rejects. `label` tells apart the runs of a bench that measure different things. */
export type Observe = <Outcome>(run: () => Promise<Outcome>, label?: string) => Promise<Observed<Outcome>>;

/** Something that is recorded during each run; a run replaces what one with the same label has recorded. */
export interface Probe {
  start(label: string): Promise<void>;
  stop(label: string): Promise<void>;
  /** Lines for the result of the bench. */
  report(): readonly string[];
}

/** A program that restarts during a run counts from its restart. */
export function observePlatform(platform: Platform, probes: readonly Probe[]): Observe {
  return async (run, label = "") => {
    for (const probe of probes) await probe.start(label);
    const programsBefore = pidsOf(platform);
    const before = await processorTime(programsBefore);
    const outcome = await run();
    const programs = pidsOf(platform);
    const after = await processorTime(programs);
    for (const probe of probes) await probe.stop(label);
    const since = (name: string) => (programs[name] === programsBefore[name] ? (before[name] ?? 0) : 0);
    const cpuMs = Object.entries(after).map(([name, ms]) => [name, ms - since(name)]);
    return { outcome, cpuMs: Object.fromEntries(cpuMs) };
  };
}
