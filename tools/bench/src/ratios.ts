// Compares the figures of two platforms. Pure.
import { median, rounded, type Spread, spread, textOf } from "./statistics.ts";

/** By figure, whose name contains the unit. The platforms' values at the same index were measured one after the other, or at once. */
export type Samples = Readonly<Record<string, readonly number[]>>;

export interface Comparison {
  readonly figure: string;
  /** Of the pairs. Undefined if one platform does not have the figure. */
  readonly ratio?: Spread;
  /** The medians. */
  readonly measured?: number;
  readonly other?: number;
}

export function compare(measured: readonly Samples[], other: readonly Samples[]): Comparison[] {
  const figures = new Set([...measured, ...other].flatMap((samples) => Object.keys(samples)));
  return [...figures].map((figure) => {
    const [values, otherValues] = [measured, other].map((turns) =>
      turns.flatMap((samples) => samples[figure] ?? []),
    ) as [number[], number[]];
    const ratios = values.map((value, index) => value / (otherValues[index] ?? Number.NaN));
    return {
      figure,
      ...(values.length > 0 && { measured: median(values) }),
      ...(otherValues.length > 0 && { other: median(otherValues) }),
      ...(values.length > 0 && otherValues.length > 0 && { ratio: spread(ratios) }),
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
  const [shown, otherShown] = [measured, other].map((value) =>
    value === undefined ? "–" : rounded(value, 2),
  );
  return line(figure, ratio === undefined ? "–" : textOf(ratio), shown ?? "", otherShown ?? "");
}

function line(figure: string, ratio: string, measured: string, other: string): string {
  return `${figure.padEnd(FIGURE_WIDTH)} ${ratio.padEnd(RATIO_WIDTH)} ${measured.padStart(VALUE_WIDTH)} ${other.padStart(VALUE_WIDTH)}`;
}
