// Reads and writes CSV (RFC 4180), with the separators and line ends that spreadsheets use in different countries. Pure.

export interface Csv {
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
  /** The fault of the file, if its rows cannot be trusted. */
  readonly fault?: string;
}

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

const SEPARATORS = [",", ";", "\t"];
// Spreadsheets read this first line, and many shops write it.
const SEPARATOR_LINE = /^"?sep=([^"\r\n])"?(?:\r\n?|\n)/i;

/** Returns null if the text has no line of names with at least two columns. */
export function readCsv(text: string): Csv | null {
  const plain = text.replace(/^\u{feff}/u, "");
  const [separatorLine = "", named] = SEPARATOR_LINE.exec(plain) ?? [];
  const { lines, openQuoteIn } = linesOf(
    plain.slice(separatorLine.length),
    named ?? separatorOf(plain),
    separatorLine === "" ? 1 : 2,
  );
  const [names, ...others] = lines;
  const columns = names?.cells.map(readCell) ?? [];
  if (columns.length < 2) return null;
  const rows = others
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""))
    .map(({ line, cells }) => ({ line, cells: columns.map((_, index) => readCell(cells[index] ?? "")) }));
  const long = others.find(({ cells }) => cells.slice(columns.length).some((cell) => cell.trim() !== ""));
  if (openQuoteIn !== null)
    return { columns, rows, fault: `A quote that begins in line ${openQuoteIn} does not end.` };
  return long === undefined
    ? { columns, rows }
    : { columns, rows, fault: `Line ${long.line} has more values than the first line has names.` };
}

/** Spreadsheets write UTF-8, UTF-16 with a mark at the beginning, or in older formats Windows-1252. */
export function textOfFile(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Quotes cells where necessary. No cell begins like a formula that a spreadsheet would evaluate. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const cellOf = (text: string) => {
    const safe = guarded(text);
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((cells) => `${cells.map(cellOf).join(",")}\r\n`).join("");
}

const FORMULA = "(?=(?:[^\\S\\t]|\\u200B)*[=+\\-@＝＋－＠])";
const BEFORE_FORMULA = new RegExp(`(?<=^|[;\\t])${FORMULA}`, "gu");
const GUARD = new RegExp(`(?<=[;\\t])'${FORMULA}`, "gu");

/** Guards as the platform's exports do (packages/http/src/export.ts): also where other spreadsheets begin a cell. */
function guarded(text: string): string {
  const parts = text.replaceAll(BEFORE_FORMULA, "'");
  return parts === text || parts.startsWith("'") ? parts : `'${parts}`;
}

function unguarded(text: string): string {
  const bare = text.replace(/^'/, "").replaceAll(GUARD, "");
  return guarded(bare) === text ? bare : text;
}

/** The separator that the first line has most often, outside quotes. */
function separatorOf(text: string): string {
  const [first = ""] = text.replaceAll(/"[^"]*"/g, "").split(/[\r\n]/, 1);
  const count = (separator: string) => first.split(separator).length;
  return SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ",";
}

/** `openQuoteIn` is the line of a quote that does not end, or null. */
function linesOf(text: string, separator: string, firstLine: number) {
  const lines: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let line = firstLine;
  let start = firstLine;
  let quoteLine = firstLine;
  const endLine = () => {
    lines.push({ line: start, cells: [...cells, cell] });
    cells = [];
    cell = "";
    start = line;
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    const isLineEnd = character === "\n" || (character === "\r" && text[index + 1] !== "\n");
    if (isLineEnd) line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[index + 1] === '"') {
        cell += '"';
        index += 1;
      } else isQuoted = false;
    } else if (character === '"' && cell === "") {
      isQuoted = true;
      quoteLine = line;
    } else if (character === separator) {
      cells.push(cell);
      cell = "";
    } else if (isLineEnd) endLine();
    else if (character !== "\r") cell += character;
  }
  if (cell !== "" || cells.length > 0) endLine();
  return { lines, openQuoteIn: isQuoted ? quoteLine : null };
}

/** Removes the `'` of `writeCsv` and the platform's exports, and the `="…"` by which other programs keep the zeros of `="0012"`. */
function readCell(cell: string): string {
  const text = cell.trim();
  const [, kept] = /^="((?:[^"]|"")*)"$/.exec(text) ?? [];
  return (kept?.replaceAll('""', '"') ?? unguarded(text)).trim();
}
