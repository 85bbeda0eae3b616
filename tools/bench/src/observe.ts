// Observes the cost of a run to the platform: its processor time, and with `--profile` and `--statements` where the time goes.
import type { Platform } from "@tradepost/devstack";
import { pidsOf, processorTime } from "./processor-time.ts";

interface Observed<Outcome> {
  readonly outcome: Outcome;
  /** Milliseconds of processor time, by program. */
  readonly cpuMs: Readonly<Record<string, number>>;
}

/** Runs a function once, and rejects if it rejects. `label` distinguishes runs of a bench that measure different things. */
export type Observe = <Outcome>(run: () => Promise<Outcome>, label?: string) => Promise<Observed<Outcome>>;

/** Records something during each run. A run replaces the recording of the last run with the same label. */
export interface Probe {
  start(label: string): Promise<void>;
  stop(label: string): Promise<void>;
  /** Lines for the result of the bench. */
  report(): readonly string[];
}

/** A program that restarts during a run is counted from its restart. */
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
