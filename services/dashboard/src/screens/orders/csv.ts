// Reads and writes CSV (RFC 4180), with the separators that spreadsheets use in different countries. Pure.

export interface Csv {
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
}

export interface CsvRow {
  /** The number of its line in the file, from 1. */
  readonly line: number;
  /** One for each column. */
  readonly cells: readonly string[];
}

const SEPARATORS = [",", ";", "\t"];

/** Returns null if the text has no line of names with at least two columns. */
export function readCsv(text: string): Csv | null {
  const plain = text.replace(/^\u{feff}/u, "");
  const [names, ...others] = linesOf(plain, separatorOf(plain));
  const columns = names?.cells.map((name) => name.trim()) ?? [];
  if (columns.length < 2) return null;
  const rows = others
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""))
    .map(({ line, cells }) => ({ line, cells: columns.map((_, index) => unguarded(cells[index] ?? "")) }));
  return { columns, rows };
}

/** Quotes where it must. No cell begins with what a spreadsheet computes. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const cellOf = (text: string) => {
    const guarded = /^[=+\-@]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
  };
  return rows.map((cells) => `${cells.map(cellOf).join(",")}\r\n`).join("");
}

/** The separator that the first line has most often, outside quotes. */
function separatorOf(text: string): string {
  const first = text.replaceAll(/"[^"]*"/g, "").split("\n", 1)[0] ?? "";
  const count = (separator: string) => first.split(separator).length;
  return SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ",";
}

function linesOf(text: string, separator: string): { line: number; cells: string[] }[] {
  const lines: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let line = 1;
  let start = 1;
  const endLine = () => {
    lines.push({ line: start, cells: [...cells, cell] });
    cells = [];
    cell = "";
    start = line;
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === "\n") line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[index + 1] === '"') {
        cell += '"';
        index += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === separator) {
      cells.push(cell);
      cell = "";
    } else if (character === "\n") endLine();
    else if (character !== "\r") cell += character;
  }
  if (cell !== "" || cells.length > 0) endLine();
  return lines;
}

/** Takes back what `writeCsv` and the platform's exports do to a cell. */
function unguarded(cell: string): string {
  const text = cell.trim();
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text;
}
