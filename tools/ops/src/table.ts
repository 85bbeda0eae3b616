// Writes rows as a table for people; an empty one as a sentence.

/** In: rows of the same fields, and what to say where there are none. */
export function table(rows: readonly object[], sayWhenEmpty: string): string {
  const [first] = rows;
  if (first === undefined) return sayWhenEmpty;
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => Object.values(row).map(written))];
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

function written(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(",");
  return value === null || value === undefined ? "-" : String(value);
}
