// Prints what came of each fault as a table, in the words of the field. Pure.
import type { Row } from "./reconcile.ts";

const COLUMNS: readonly (readonly [string, (row: Row) => string | number])[] = [
  ["attempted", (row) => row.attempted],
  ["acknowledged", (row) => row.acknowledged],
  ["committed", (row) => row.committed],
  ["delivered", (row) => row.delivered],
  ["lost", (row) => row.lost],
  ["duplicated", (row) => row.duplicated],
  ["unexpected", (row) => row.unexpected],
  ["out of order", (row) => row.outOfOrder],
  ["recovered in s", (row) => row.recoverySeconds?.toFixed(1) ?? "never"],
];

export function head(nameWidth: number): string {
  return line(
    "fault",
    COLUMNS.map(([name]) => name),
    nameWidth,
  );
}

export function rowLine(name: string, row: Row, nameWidth: number): string {
  return line(
    name,
    COLUMNS.map(([, value]) => String(value(row))),
    nameWidth,
  );
}

function line(name: string, values: readonly string[], nameWidth: number): string {
  const cells = values.map((value, index) => value.padStart((COLUMNS[index]?.[0] ?? "").length));
  return `${name.padEnd(nameWidth)}  ${cells.join("  ")}`;
}

/** The rows of all faults as one. */
export function total(rows: readonly Row[]): Row {
  const sum = (value: (row: Row) => number) => rows.reduce((all, row) => all + value(row), 0);
  const slowest = Math.max(...rows.map(({ recoverySeconds }) => recoverySeconds ?? Number.POSITIVE_INFINITY));
  return {
    attempted: sum((row) => row.attempted),
    acknowledged: sum((row) => row.acknowledged),
    committed: sum((row) => row.committed),
    delivered: sum((row) => row.delivered),
    lost: sum((row) => row.lost),
    duplicated: sum((row) => row.duplicated),
    unexpected: sum((row) => row.unexpected),
    outOfOrder: sum((row) => row.outOfOrder),
    recoverySeconds: Number.isFinite(slowest) ? slowest : null,
    refused: {},
    unexpectedExits: sum((row) => row.unexpectedExits),
  };
}
