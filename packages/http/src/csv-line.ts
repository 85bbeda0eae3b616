// Writes a line of CSV (RFC 4180). Pure.
import { writeJson } from "@tradepost/json";

/**
 * The cells with commas between them, and a line end. Undefined and null are empty cells, a Date is ISO 8601, an object its JSON text. A text
 * that begins like a formula of a spreadsheet gets a `'` before it, so that none computes it (interface §19).
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
