// Keyset pagination, newest first: the query fields of a list and the opaque cursor of the next page (interface §1).
import { VerbatimJson, writeJson } from "@tradepost/json";
import { z } from "zod";
import { isUuid, numberIn, shaped } from "./fields.ts";

export interface Position {
  /** Or the time by which the list is sorted. */
  readonly createdAt: Date;
  readonly id: string;
  /** The name of the sort, if it is not that of `newestFirst`. */
  readonly sort?: string | undefined;
}

/** The query fields of every list, to spread into its strict schema: `limit`, 1 to 100 (default 25), and `cursor`. */
export const pageQuery = {
  limit: numberIn(1, 100, 25, "The most items of a page."),
  cursor: cursorOfSorts([]),
};

/** Returns the query field `cursor` of a list that has other sorts. The caller compares the sort of the cursor. */
export function cursorOfSorts(sorts: readonly string[]) {
  return shaped(
    z
      .string()
      .transform((cursor, context) => {
        const position = decodeCursor(cursor);
        const isOfList = position !== null && (position.sort === undefined || sorts.includes(position.sort));
        if (!isOfList) context.addIssue({ code: "custom", message: "is not a cursor of this list" });
        return position;
      })
      .default(null),
    z.string().optional().describe("`page.nextCursor` of the page before."),
  );
}

export const pageOnly = z.strictObject(pageQuery);

export type PageQuery = z.output<typeof pageOnly>;

/** Each item is serialized once. */
export interface ListPage {
  readonly items: readonly VerbatimJson[];
  readonly nextCursor: string | null;
}

// 2 MiB, less a reserve for the envelope.
const PAGE_BYTES_MAX = 2 * 1024 * 1024 - 1024;

/**
 * Makes a page of at most `limit` rows, newest first, which ends before its JSON exceeds 2 MiB, but has at least one row (interface
 * §1). `shown` returns a row's item. `hasMore` says that there are further rows; callers may instead pass one row more than `limit`.
 * `end` is the last position that was searched, if further rows are to be searched: a page may then be empty. `nextCursor` is null
 * on the last page. `position` is by default the row's creation.
 */
export function cursorPage<Row extends Position>(
  rows: readonly Row[],
  limit: number,
  options: {
    hasMore?: boolean;
    shown?: (row: Row) => unknown;
    position?: ((row: Row) => Position) | undefined;
    end?: Position | null | undefined;
  } = {},
): ListPage {
  const {
    hasMore = false,
    shown = (row) => row,
    position = ({ createdAt, id }) => ({ createdAt, id }),
    end = null,
  } = options;
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
  const next = isLastPage ? end : position(last);
  return { items, nextCursor: next && cursorOf(next) };
}

function cursorOf({ createdAt, id, sort }: Position): string {
  const parts = [createdAt.toISOString(), id, ...(sort === undefined ? [] : [sort])];
  return Buffer.from(parts.join(" ")).toString("base64url");
}

// A time, a UUID and the name of a sort in base64url have at most 94 characters.
const CURSOR_CHARACTERS_MAX = 100;

function decodeCursor(cursor: string): Position | null {
  if (cursor.length > CURSOR_CHARACTERS_MAX) return null;
  const [time = "", id = "", sort] = Buffer.from(cursor, "base64url").toString("latin1").split(" ");
  const createdAt = new Date(time);
  // Postgres does not accept years with more than four digits.
  const isTime =
    /^\d{4}-/.test(time) && !Number.isNaN(createdAt.getTime()) && createdAt.toISOString() === time;
  if (!isUuid(id) || !isTime) return null;
  // Decoding ignores characters that are not base64url.
  const position = { createdAt, id, sort };
  return cursorOf(position) === cursor ? position : null;
}

/**
 * Makes a page from a search over a bounded number of rows (`searchStatement` of `@tradepost/postgres`). It may be short and
 * still have a `nextCursor` (interface §1).
 */
export function searchedPage<Row, Item extends Position>(
  rows: readonly (Row & { readonly is_end: boolean })[],
  { limit }: Pick<PageQuery, "limit">,
  itemOf: (row: Row) => Item,
  shown: (item: Item) => unknown = (item) => item,
): ListPage {
  const items = rows.filter((row) => !row.is_end).map(itemOf);
  const end = rows.findLast((row) => row.is_end);
  return cursorPage(items, limit, { shown, end: end && itemOf(end) });
}
