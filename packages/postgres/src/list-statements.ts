// Keyset pagination by (created_at, id), newest first, never OFFSET (interface §1).
import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";

/**
 * Reads a page. `cursor` is the last row of the previous one. Returns up to `limit + 1` rows: one more than `limit` shows that
 * there is another page. `by` is the column of the time.
 */
export function newestFirst<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  page: { limit: number; cursor: { createdAt: Date; id: string } | null },
  by: "created_at" | "placed_at" = "created_at",
): SelectQueryBuilder<Database, Table, Row> {
  const { limit, cursor } = page;
  const time = sql.raw(by);
  const after =
    cursor === null ? query : query.where(sql<boolean>`(${time}, id) < (${cursor.createdAt}, ${cursor.id})`);
  return after
    .orderBy(time, "desc")
    .orderBy(sql`id`, "desc")
    .limit(limit + 1);
}

/** Reads a page of an export, oldest rows first (interface §19). */
export function oldestFirst<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  { limit, after }: { limit: number; after: { createdAt: Date; id: string } | null },
): SelectQueryBuilder<Database, Table, Row> {
  const later =
    after === null ? query : query.where(sql<boolean>`(created_at, id) > (${after.createdAt}, ${after.id})`);
  return later
    .orderBy(sql`created_at`)
    .orderBy(sql`id`)
    .limit(limit + 1);
}

export const OLDEST_FIRST = sql`created_at, id`;

// The process holds a few copies of the bytes.
const PAGE_BYTES_MAX = 2 * 1024 * 1024;

interface PageBounds {
  readonly limit: number;
  /** An SQL expression over the columns of `page`. */
  readonly bytes: RawBuilder<number>;
  readonly order?: RawBuilder<unknown>;
}

/** A row with its position on the page, from 1, and whether another row follows. */
export type PageRow<Row> = Row & { page_position: number; has_more: boolean };

/**
 * Returns an expression for FROM that ends a page before its rows have more than 2 MiB of `bytes`, but after at least one row
 * (interface §1). `limited` selects up to `limit + 1` rows in the given order. Convert large columns outside, so that values behind
 * the end are not read from storage.
 */
export function withinBytes<Row>(
  limited: Expression<Row>,
  { limit, bytes, order = sql`created_at desc, id desc` }: PageBounds,
): RawBuilder<PageRow<Row>> {
  return sql`(
    with recursive page as materialized (
      select limited.*, row_number() over (order by ${order}) as page_position from (${limited}) limited
    ), measured (page_position, page_bytes) as (
      select 0::bigint, 0::bigint
       union all
      select page.page_position, measured.page_bytes + ${bytes}
        from measured join page on page.page_position = measured.page_position + 1
       where measured.page_bytes <= ${sql.lit(PAGE_BYTES_MAX)}
    )
    select page.*, page_position < (select count(*) from page) as has_more
      from page join measured using (page_position)
     where page_position <= ${limit} and (page_position = 1 or page_bytes <= ${sql.lit(PAGE_BYTES_MAX)}))`;
}

/** The length of these columns as text. */
export function bytesOf(...columns: string[]): RawBuilder<number> {
  const lengths = columns.map((column) => sql`coalesce(octet_length(page.${sql.ref(column)}::text), 0)`);
  return sql`(${sql.join(lengths, sql` + `)})`;
}

// This many take about 100 ms if no row matches and the latest attempt of each is looked up.
const SEARCHED_ROWS_MAX = 10_000;

/**
 * Returns the statement for one page. An index must support the conditions in `from`, a FROM clause, and `order`. The rows
 * found are searched for `conditions`, with the columns that the join `lookup` adds. One row more than `limit` shows that there
 * is a next page. If the search ends before that, the last row searched follows the matches, with `is_end`.
 */
export function searchStatement<Row>(options: {
  columns: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  lookup?: RawBuilder<unknown> | undefined;
  conditions: readonly RawBuilder<unknown>[];
  limit: number;
}): RawBuilder<Row & { readonly is_end: boolean }> {
  const { columns, from, order, lookup = sql``, conditions } = options;
  const limit = options.limit + 1;
  if (conditions.length === 0) return sql`select ${columns}, false as is_end ${from} ${order} limit ${limit}`;
  return sql`
    (select page.*, false as is_end
       from (select ${columns} ${from} ${order} limit ${SEARCHED_ROWS_MAX}) page ${lookup}
      where ${allOf(conditions)}
      ${order}
      limit ${limit})
    union all
    (select ${columns}, true ${from} ${order} offset ${SEARCHED_ROWS_MAX - 1} limit 1)
    limit ${limit}`;
}

export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql` and `)}`;
}
