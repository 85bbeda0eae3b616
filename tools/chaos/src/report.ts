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
  return line(
    "fault",
    COLUMNS.map(([name]) => name),
    nameWidth,
  );
}

export function tableRow(name: string, counts: RowCounts, nameWidth: number): string {
  return line(
    name,
    COLUMNS.map(([, value]) => String(value(counts))),
    nameWidth,
  );
}

function line(name: string, values: readonly string[], nameWidth: number): string {
  const cells = values.map((value, index) => value.padStart((COLUMNS[index]?.[0] ?? "").length));
  return `${name.padEnd(nameWidth)}  ${cells.join("  ")}`;
}

export function total(all: readonly RowCounts[]): RowCounts {
  const sum = (value: (counts: RowCounts) => number) => sumOf(all.map(value));
  const longest = Math.max(...all.map(({ recoverySeconds }) => recoverySeconds ?? Number.POSITIVE_INFINITY));
  return {
    attempted: sum((counts) => counts.attempted),
    published: sum((counts) => counts.published),
    acknowledged: sum((counts) => counts.acknowledged),
    committed: sum((counts) => counts.committed),
    delivered: sum((counts) => counts.delivered),
    lost: sum((counts) => counts.lost),
    missing: sum((counts) => counts.missing),
    duplicated: sum((counts) => counts.duplicated),
    unexpected: sum((counts) => counts.unexpected),
    outOfOrder: sum((counts) => counts.outOfOrder),
    notLinearizable: sum((counts) => counts.notLinearizable ?? 0),
    recoverySeconds: Number.isFinite(longest) ? longest : null,
    failedRequests: { all: sum(({ failedRequests }) => sumOf(Object.values(failedRequests))) },
    unexpectedExits: sum((counts) => counts.unexpectedExits),
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
