// What a bench says, and how it comes to it: our run and its baseline in turns, so that what the machine does meanwhile
// strikes both.
import { type Programs, perUnit, processorTime } from "./cpu.ts";
import { median, type Percentiles, type Spread, spread } from "./statistics.ts";

export interface Result {
  readonly name: string;
  readonly unit: string;
  readonly target: string;
  /** Medians. */
  readonly ours?: number;
  readonly baseline?: number;
  /** Of each turn's pair. */
  readonly ratio?: Spread;
  /** Milliseconds of processor time for each unit of ours, by process. */
  readonly cpu?: Readonly<Record<string, number>>;
  readonly latencies?: Readonly<Record<string, Percentiles>>;
  readonly notes?: readonly string[];
}

/** One run. Out: units a second, and how many there were. */
export type Run = () => Promise<{ perSecond: number; count: number }>;

export interface Turns {
  readonly scale: { readonly turns: number; readonly isShort: boolean };
  /** Those of this moment: one that is started again in a run counts from its start. */
  readonly programs: () => Programs;
}

/** Runs A B A B A B, after one of each that warms up: code is compiled as it runs. Rejects where a run does. */
export async function inTurns(ours: Run, baseline: Run, { scale: { turns, isShort }, programs }: Turns) {
  if (!isShort) {
    await ours();
    await baseline();
  }
  const [mine, theirs, ratios]: [number[], number[], number[]] = [[], [], []];
  const cpus: Record<string, number>[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const before = programs();
    const spent = Object.entries(await processorTime(before));
    const our = await ours();
    const after = programs();
    const spentBefore = Object.fromEntries(spent.filter(([name]) => after[name] === before[name]));
    cpus.push(perUnit(spentBefore, await processorTime(after), our.count));
    const their = await baseline();
    mine.push(our.perSecond);
    theirs.push(their.perSecond);
    ratios.push(our.perSecond / their.perSecond);
  }
  return { ours: median(mine), baseline: median(theirs), ratio: spread(ratios), cpu: medians(cpus) };
}

export function medians(samples: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const names = Object.keys(samples[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(samples.map((sample) => sample[name] ?? 0))]));
}
