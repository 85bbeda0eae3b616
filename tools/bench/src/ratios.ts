// Compares the figures of two platforms. Pure.
import { median, rounded, spread, textOf } from "./statistics.ts";

/** Values by figure, whose name contains the unit. The platforms' values at the same index were measured one after the other. */
export type Samples = Readonly<Record<string, readonly number[]>>;

export type Comparison = ReturnType<typeof compare>[number];

export function compare(measured: readonly Samples[], other: readonly Samples[]) {
  const figures = new Set([...measured, ...other].flatMap((samples) => Object.keys(samples)));
  return [...figures].map((figure) => {
    const [values, otherValues] = [measured, other].map((turns) =>
      turns.flatMap((samples) => samples[figure] ?? []),
    ) as [number[], number[]];
    const ratios = values.map((value, index) => value / (otherValues[index] ?? Number.NaN));
    return {
      figure,
      ratio: spread(ratios),
      measured: median(values),
      other: median(otherValues),
    };
  });
}

const FIGURE_WIDTH = 64;
const RATIO_WIDTH = 24;
const VALUE_WIDTH = 10;

export function headOf(commit: string): string {
  return line("", "ratio (lowest to highest)", "this", commit);
}

export function formatComparison({ figure, ratio, measured, other }: Comparison): string {
  return line(figure, textOf(ratio), rounded(measured, 2), rounded(other, 2));
}

function line(figure: string, ratio: string, measured: string, other: string): string {
  return `${figure.padEnd(FIGURE_WIDTH)} ${ratio.padEnd(RATIO_WIDTH)} ${measured.padStart(VALUE_WIDTH)} ${other.padStart(VALUE_WIDTH)}`;
}
