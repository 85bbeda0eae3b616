// Writes a line of CSV (RFC 4180). Pure.
import { writeJson } from "@tradepost/json";

/**
 * Returns the cells, separated by commas, and a line end. Undefined and null become empty cells, a Date its ISO 8601 form, an
 * object its JSON text. A text that a spreadsheet could take for a formula gets a leading `'`, also within it, where a
 * spreadsheet that separates cells by `;` or tabs begins a cell (interface §19).
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(",")}\r\n`;
}

function cellOf(value: unknown): string {
  const text = typeof value === "number" ? String(value) : guarded(textOf(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? writeJson(value) : String(value);
}

// Spreadsheets ignore blanks and invisible characters before a formula, and some read full-width signs.
const FORMULA = /(^|[;\t])(?=(?:[^\S\t]|\u200B)*[=+\-@＝＋－＠])/gu;

function guarded(text: string): string {
  const parts = text.replace(FORMULA, "$1'");
  return parts === text || parts.startsWith("'") ? parts : `'${parts}`;
}
