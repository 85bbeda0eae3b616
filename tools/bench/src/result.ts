// The result of a bench. The platform and the baseline run in turn, so that other load on the machine slows down both.
import { type Programs, perUnit, processorTime } from "./processor-time.ts";
import { median, type Percentiles, type Spread, spread } from "./statistics.ts";

export interface Result {
  readonly name: string;
  readonly unit: string;
  readonly target: string;
  /** The medians over all turns. */
  readonly measured?: number;
  readonly baseline?: number;
  /** Measured to baseline, within each turn. */
  readonly ratio?: Spread;
  /** Milliseconds of processor time per unit, by program. */
  readonly cpu?: Readonly<Record<string, number>>;
  readonly latencies?: Readonly<Record<string, Percentiles>>;
  readonly notes?: readonly string[];
}

export type Run = () => Promise<{ perSecond: number; count: number }>;

export interface Turns {
  readonly scale: { readonly turns: number; readonly isShort: boolean };
  /** The current programs; one that restarts during a run counts from its restart. */
  readonly programs: () => Programs;
}

/** Runs A B A B A B, after a warm-up of each in which code is compiled. Rejects when a run rejects. */
export async function compareInTurns(
  platform: Run,
  baseline: Run,
  { scale: { turns, isShort }, programs }: Turns,
) {
  if (!isShort) {
    await platform();
    await baseline();
  }
  const [rates, baselineRates, ratios]: [number[], number[], number[]] = [[], [], []];
  const cpus: Record<string, number>[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const programsBefore = programs();
    const timesBefore = Object.entries(await processorTime(programsBefore));
    const { perSecond, count } = await platform();
    const programsAfter = programs();
    const before = timesBefore.filter(([name]) => programsAfter[name] === programsBefore[name]);
    cpus.push(perUnit(Object.fromEntries(before), await processorTime(programsAfter), count));
    const baselineRun = await baseline();
    rates.push(perSecond);
    baselineRates.push(baselineRun.perSecond);
    ratios.push(perSecond / baselineRun.perSecond);
  }
  return {
    measured: median(rates),
    baseline: median(baselineRates),
    ratio: spread(ratios),
    cpu: medians(cpus),
  };
}

export function medians(samples: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const names = Object.keys(samples[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(samples.map((sample) => sample[name] ?? 0))]));
}
