/** Formats rows, all with the same fields, as a text table; without rows it returns `textWhenEmpty`. */
export function table(rows: readonly object[], textWhenEmpty: string): string {
  const [first] = rows;
  if (first === undefined) return textWhenEmpty;
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => Object.values(row).map(format))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function format(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(",");
  return value === null || value === undefined ? "-" : String(value);
}
