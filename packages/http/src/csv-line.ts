// Writes a line of CSV (RFC 4180). Pure.
import { writeJson } from "@tradepost/json";

/**
 * Returns the cells, separated by commas, and a line end. Undefined and null become empty cells, a Date its ISO 8601 form, an
 * object its JSON text. A text that begins like a spreadsheet formula gets a leading `'`, so that no spreadsheet evaluates it
 * (interface §19).
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(value: unknown): string {
  const text = guarded(textOf(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? writeJson(value) : String(value);
}

function guarded(text: string): string {
  return /^[=+\-@]/.test(text) ? `'${text}` : text;
}
