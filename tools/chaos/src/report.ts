// Formats the counts of each fault as a table. Pure.
import type { Counts } from "./reconcile.ts";

/** Only a run with faults records histories. */
type RowCounts = Counts & { readonly notLinearizable?: number };

const COLUMNS: readonly (readonly [string, (counts: RowCounts) => string | number])[] = [
  ["attempted", (counts) => counts.attempted],
  ["acknowledged", (counts) => counts.acknowledged],
  ["committed", (counts) => counts.committed],
  ["delivered", (counts) => counts.delivered],
  ["lost", (counts) => counts.lost],
  ["missing", (counts) => counts.missing],
  ["refused", (counts) => sumOf(Object.values(counts.failedRequests))],
  ["duplicated", (counts) => counts.duplicated],
  ["unexpected", (counts) => counts.unexpected],
  ["out of order", (counts) => counts.outOfOrder],
  ["not linearizable", ({ notLinearizable }) => notLinearizable ?? "–"],
  ["recovered in s", (counts) => counts.recoverySeconds?.toFixed(1) ?? "never"],
];

export function tableHeader(nameWidth: number): string {
  return ["fault".padEnd(nameWidth), ...COLUMNS.map(([name]) => name)].join("  ");
}

export function tableRow(name: string, counts: RowCounts, nameWidth: number): string {
  const cells = COLUMNS.map(([column, value]) => String(value(counts)).padStart(column.length));
  return [name.padEnd(nameWidth), ...cells].join("  ");
}

export function total(all: readonly RowCounts[]): RowCounts {
  const sum = (value: (counts: RowCounts) => number) => sumOf(all.map(value));
  const longest = Math.max(...all.map(({ recoverySeconds }) => recoverySeconds ?? Number.POSITIVE_INFINITY));
  const [first] = all;
  const numbers = Object.entries(first ?? {}).filter(([, value]) => typeof value === "number");
  const sums = numbers.map(([name]) => [name, sum((counts) => counts[name as "lost"])]);
  return {
    ...(Object.fromEntries(sums) as unknown as RowCounts),
    recoverySeconds: Number.isFinite(longest) ? longest : null,
    failedRequests: { all: sum(({ failedRequests }) => sumOf(Object.values(failedRequests))) },
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
