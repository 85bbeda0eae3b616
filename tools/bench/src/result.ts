// The result of a bench. The platform and the baseline run in turn, so that other load on the machine slows down both.
import type { Observe } from "./observe.ts";
import { perUnit, sum } from "./observe.ts";
import { median, type Percentiles, rounded, type Spread, spread, textOf } from "./statistics.ts";

export interface Result {
  readonly name: string;
  readonly unit: string;
  readonly target: string;
  /** The medians over all turns. */
  readonly measured?: number;
  readonly baseline?: number;
  /** The ratio of the measured value to the baseline in each turn. */
  readonly ratio?: Spread;
  /** Milliseconds of processor time per unit, by program. */
  readonly cpu?: Readonly<Record<string, number>>;
  /** The same for the baseline, which shows how fast the machine was. */
  readonly baselineCpu?: number;
  /** Further figures. Their names contain the unit. */
  readonly figures?: Readonly<Record<string, number>>;
  readonly latencies?: Readonly<Record<string, Percentiles>>;
  readonly notes?: readonly string[];
}

/** `cpuMs` is the processor time of the whole run, if it is known. */
type Run = () => Promise<{ perSecond: number; count: number; cpuMs?: number }>;

interface Turns {
  readonly scale: { readonly turns: number; readonly isShort: boolean };
  readonly observe: Observe;
}

/** Runs platform and baseline in turn, after a warm-up of each in which code is compiled. Rejects if a run rejects. */
export async function compareInTurns(
  platform: Run,
  baseline: Run,
  { scale: { turns, isShort }, observe }: Turns,
) {
  if (!isShort) {
    await platform();
    await baseline();
  }
  const pairs = [];
  for (let turn = 0; turn < turns; turn += 1)
    pairs.push({ ...(await observe(platform)), other: await baseline() });
  const baselineCpus = pairs.flatMap(({ other }) => (other.cpuMs ? [other.cpuMs / other.count] : []));
  return {
    measured: median(pairs.map(({ outcome }) => outcome.perSecond)),
    baseline: median(pairs.map(({ other }) => other.perSecond)),
    ratio: spread(pairs.map(({ outcome, other }) => outcome.perSecond / other.perSecond)),
    cpu: medians(pairs.map(({ outcome, cpuMs }) => perUnit(cpuMs, outcome.count))),
    ...(baselineCpus.length === 0 ? {} : { baselineCpu: median(baselineCpus) }),
  };
}

export function medians<Name extends string>(
  samples: readonly Readonly<Record<Name, number>>[],
): Record<Name, number> {
  const names = Object.keys(samples[0] ?? {}) as Name[];
  const entries = names.map((name) => [name, median(samples.map((sample) => sample[name] ?? 0))]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

export function formatResult(result: Result): string {
  const { name, unit, target, measured, baseline, ratio, cpu = {}, baselineCpu } = result;
  const { figures: named = {}, latencies = {}, notes = [] } = result;
  const figures = [
    measured !== undefined && `${rounded(measured, 1)} ${unit}`,
    baseline !== undefined && `baseline ${rounded(baseline, 1)}`,
    ratio !== undefined && `ratio ${textOf(ratio)}`,
    `target ${target}`,
  ];
  const used = Object.entries(cpu).filter(([, ms]) => ms > 0);
  const details = [
    used.length > 0 &&
      `CPU-ms per unit: ${sum(cpu).toFixed(2)}: ${used.map(([process, ms]) => `${process} ${ms.toFixed(3)}`).join(", ")}`,
    baselineCpu !== undefined && `CPU-ms per unit of the baseline: ${baselineCpu.toFixed(3)}`,
    ...Object.entries(latencies).map(([rate, { p50, p99 }]) => `${rate}: p50 ${p50} ms, p99 ${p99} ms`),
    ...Object.entries(named).map(([what, figure]) => `${what}: ${rounded(figure, 1)}`),
    ...notes,
  ];
  const indented = details.filter(Boolean).map((detail) => `\n    ${detail}`);
  return `${name}: ${figures.filter(Boolean).join(" · ")}${indented.join("")}`;
}
