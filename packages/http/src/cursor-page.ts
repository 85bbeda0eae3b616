// Keyset pagination, newest first: the query fields of a list and the opaque cursor of the next page (interface §1).
import { VerbatimJson, writeJson } from "@tradepost/json";
import { z } from "zod";
import { shaped } from "./shape.ts";
import { isUuid } from "./uuid.ts";

/** The position of a row in a list. */
export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

/** The parsed fields of `pageQuery`. */
export interface PageQuery {
  readonly limit: number;
  /** The page starts after this row; null for the first page. */
  readonly cursor: Position | null;
}

/** The query fields of every list, to spread into its strict schema: `limit`, 1 to 100 (default 25), and `cursor`. */
export const pageQuery = {
  limit: shaped(
    z
      .string()
      .regex(/^\d{1,4}$/, "must be a number from 1 to 100")
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= 100, "must be a number from 1 to 100")
      .default(25),
    z.int().min(1).max(100).default(25).describe("The most items of a page."),
  ),
  cursor: shaped(
    z
      .string()
      .transform((cursor, context) => {
        const position = decodeCursor(cursor);
        if (position === null) context.addIssue({ code: "custom", message: "is not a cursor of this list" });
        return position;
      })
      .default(null),
    z.string().optional().describe("`page.nextCursor` of the page before."),
  ),
};

/** The query of a list that has no filters. */
export const pageOnly = z.strictObject(pageQuery);

/** One page of a list, as `listed` takes it. The items are JSON texts, so each is serialized once. */
export interface ListPage {
  readonly items: readonly VerbatimJson[];
  readonly nextCursor: string | null;
}

// 2 MiB, less a reserve for the envelope, which is far smaller.
const PAGE_BYTES_MAX = 2 * 1024 * 1024 - 1024;

/**
 * Makes a page of at most `limit` rows, newest first. The page ends before its JSON exceeds 2 MiB, but has at least one row
 * (interface §1). `shown` returns the item of a row, by default the row itself. `hasMore` says that there are rows after the
 * given ones. Callers may instead pass one row more than `limit`, which avoids a COUNT. `nextCursor` is null on the last page.
 */
export function cursorPage<Row extends Position>(
  rows: readonly Row[],
  limit: number,
  { hasMore = false, shown = (row) => row }: { hasMore?: boolean; shown?: (row: Row) => unknown } = {},
): ListPage {
  const items: VerbatimJson[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    const text = writeJson(shown(row));
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > PAGE_BYTES_MAX && items.length > 0) break;
    items.push(new VerbatimJson(text));
  }
  const last = rows[items.length - 1];
  const isLastPage = last === undefined || (items.length === rows.length && !hasMore);
  return { items, nextCursor: isLastPage ? null : cursorOf(last) };
}

/** Returns the cursor of the page after this position (interface §1). */
export function cursorOf({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString("base64url");
}

// A valid cursor has 82 characters: a time and a UUID in base64url.
const CURSOR_CHARACTERS_MAX = 100;

function decodeCursor(cursor: string): Position | null {
  if (cursor.length > CURSOR_CHARACTERS_MAX) return null;
  const [time = "", id = ""] = Buffer.from(cursor, "base64url").toString("latin1").split(" ");
  const createdAt = new Date(time);
  // JavaScript accepts years with more than four digits, but Postgres does not.
  const isTime =
    /^\d{4}-/.test(time) && !Number.isNaN(createdAt.getTime()) && createdAt.toISOString() === time;
  if (!isUuid(id) || !isTime) return null;
  // Decoding ignores characters that are not base64url.
  return cursorOf({ createdAt, id }) === cursor ? { createdAt, id } : null;
}
