// Sends all rows of a list in one response, oldest first, as fast as the client reads (interface §19).
//
// Each page of rows is read by its own statement, so a slow client holds a socket and one page but no database connection. Rows that change
// during the export appear as they are when their page is read.
import { Readable } from "node:stream";
import { writeJson } from "@tradepost/json";
import { yieldPeriodically } from "@tradepost/runtime";
import { z } from "zod";
import { ApiError, invalid } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import type { Position } from "./cursor-page.ts";
import { isUuid, languageTag, shaped } from "./fields.ts";
import { inFlightLimit } from "./in-flight-limit.ts";
import type { ApiRequest } from "./route.ts";

const formats = ["csv", "ndjson"] as const;

/** The query fields of an export, to spread into its strict schema instead of `pageQuery`. */
export const exportQuery = {
  format: z
    .enum(formats, `must be one of ${formats.join(", ")}`)
    .default("csv")
    .describe("`csv` (RFC 4180, with a line of names), or `ndjson`: a line of JSON for each resource."),
  locale: languageTag
    .optional()
    .describe(
      "For CSV that people open: its decimal sign, semicolons if that is a comma, and a byte order mark.",
    ),
  after: shaped(z.string(), z.uuid())
    .optional()
    .describe("The id of the last resource of an export that was interrupted: this one goes on after it."),
};

export type ExportQuery = z.output<z.ZodObject<typeof exportQuery>>;

/** `next` is null after the last page. */
export interface ExportPage<Row> {
  readonly rows: readonly Row[];
  readonly next: Position | null;
}

interface Export<Row> {
  readonly name: string;
  readonly columns: readonly string[];
  readonly lines: (row: Row) => readonly (readonly unknown[])[];
  readonly shown?: (row: Row) => unknown;
  /** Reads at most a few hundred rows and 2 MiB. */
  readonly readPage: (after: Position | null) => Promise<ExportPage<Row>>;
  /** Whether `after` may be this text; by default a UUID. */
  readonly isId?: (text: string) => boolean;
  /** Returns null if the tenant has no such resource. */
  readonly find: (id: string) => Promise<Position | null>;
  readonly record?: () => Promise<void>;
}

const MEDIA_TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  ndjson: "application/x-ndjson; charset=utf-8",
};

// An export of a large shop takes minutes, so exports leave room for short requests.
const LIMITS = {
  inProgressMax: 16,
  inProgressOfTenantMax: 2,
  waitingMax: 64,
  waitingOfTenantMax: 4,
  waitMsMax: 5_000,
};
// As long as a slow client may take: a refusal would cut off the export.
const PAGE_WAIT_MS_MAX = 60_000;

/**
 * Rejects with 422 if `after` names no resource (interface §19), and with 429 `rate_limited` after a wait of 5 s: 2 exports of
 * a tenant and 16 of a process run at a time.
 */
export function exporter() {
  const acquire = inFlightLimit(
    LIMITS,
    () =>
      new ApiError("rate_limited", "Too many exports are in progress.", { headers: { "retry-after": "5" } }),
  );
  return async <Row>(
    {
      query: { format, locale, after },
      principal,
      raw,
      inTurn,
    }: Pick<ApiRequest<undefined, ExportQuery>, "query" | "principal" | "raw" | "inTurn">,
    wanted: Export<Row>,
  ): Promise<ApiResponse> => {
    if (locale !== undefined && format !== "csv") {
      throw invalid([{ path: "locale", message: "is for the format csv" }]);
    }
    const release = await acquire(principal.tenantId, raw.socket);
    try {
      const position = after === undefined ? null : await positionOf(after, wanted);
      // First, so that an unavailable database still becomes 503.
      const build = pageBuilder(wanted, format, locale);
      const first = await inTurn(() => build(position));
      await wanted.record?.();
      const next = (after: Position) => inTurn(() => build(after), PAGE_WAIT_MS_MAX);
      const stream = Readable.from(chunksOf(first, next), { objectMode: false });
      stream.once("close", release);
      return {
        status: 200,
        headers: {
          "content-type": MEDIA_TYPES[format],
          "content-disposition": `attachment; filename="${wanted.name}.${format}"`,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
        },
        stream,
      };
    } catch (error) {
      release();
      throw error;
    }
  };
}

async function positionOf<Row>(
  id: string,
  { isId = isUuid, find }: Pick<Export<Row>, "isId" | "find">,
): Promise<Position> {
  const position = isId(id) ? await find(id.toLowerCase()) : null;
  if (position === null) throw invalid([{ path: "after", message: "is no id of this list" }]);
  return position;
}

interface BuiltPage {
  readonly bytes: Buffer;
  readonly next: Position | null;
}

/** The first page begins with the names of the columns. */
function pageBuilder<Row>(
  { columns, lines, shown = (row) => row, readPage }: Export<Row>,
  format: ExportQuery["format"],
  locale: string | undefined,
): (after: Position | null) => Promise<BuiltPage> {
  const form = locale === undefined ? FOR_PROGRAMS : formOf(locale);
  const lineOf = (cells: readonly unknown[]) => csvLine(cells, form);
  const write = (row: Row) =>
    format === "csv" ? lines(row).map(lineOf).join("") : `${writeJson(shown(row))}\n`;
  const mark = locale === undefined ? "" : "\ufeff";
  let text = format === "csv" ? mark + lineOf(columns) : "";
  return async (after) => {
    const { rows, next } = await readPage(after);
    const yieldToOthers = yieldPeriodically();
    for (const row of rows) {
      text += write(row);
      await yieldToOthers();
    }
    const bytes = Buffer.from(text);
    text = "";
    return { bytes, next };
  };
}

async function* chunksOf(
  first: BuiltPage,
  build: (after: Position) => Promise<BuiltPage>,
): AsyncGenerator<Buffer> {
  for (let page = first; ; page = await build(page.next)) {
    if (page.bytes.length > 0) yield page.bytes;
    if (page.next === null) return;
  }
}

interface CsvForm {
  readonly separator: "," | ";";
  readonly decimal: "." | ",";
}

const FOR_PROGRAMS: CsvForm = { separator: ",", decimal: "." };

/** Returns the form that a spreadsheet with this locale expects. */
function formOf(locale: string): CsvForm {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(0.5);
  const hasComma = parts.some(({ type, value }) => type === "decimal" && value === ",");
  return hasComma ? { separator: ";", decimal: "," } : FOR_PROGRAMS;
}

/**
 * Returns a line of CSV (RFC 4180). Undefined and null become empty cells, a Date its ISO 8601 form, an object its JSON text. A text that a
 * spreadsheet could take for a formula gets a leading `'`, also after a `;` or tab, which some spreadsheets read as the end of a cell
 * (interface §19).
 */
export function csvLine(cells: readonly unknown[], form = FOR_PROGRAMS): string {
  return `${cells.map((cell) => cellOf(cell, form)).join(form.separator)}\r\n`;
}

function cellOf(value: unknown, { separator, decimal }: CsvForm): string {
  const text = typeof value === "number" ? String(value).replace(".", decimal) : guarded(textOf(value));
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
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
