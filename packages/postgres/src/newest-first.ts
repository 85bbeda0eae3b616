// Keyset pagination by (created_at, id), newest first, never OFFSET (interface §1).
import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";

/**
 * Limits a query over a table with `created_at` and `id` to a page. `cursor` is the last row of the previous page, null for
 * the first one. The query returns up to `limit + 1` rows: the additional one shows whether there is another page.
 */
export function newestFirst<Database, Table extends keyof Database, Row>(
  query: SelectQueryBuilder<Database, Table, Row>,
  page: { limit: number; cursor: { createdAt: Date; id: string } | null },
): SelectQueryBuilder<Database, Table, Row> {
  const { limit, cursor } = page;
  const after =
    cursor === null
      ? query
      : query.where(sql<boolean>`(created_at, id) < (${cursor.createdAt}, ${cursor.id})`);
  return after
    .orderBy(sql`created_at`, "desc")
    .orderBy(sql`id`, "desc")
    .limit(limit + 1);
}

/**
 * The same for an export, which begins with the oldest rows. `after` is the last row of the previous page, null for the first one (interface §19).
 */
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

/** The order of the rows of `oldestFirst`, for `withinBytes`. */
export const OLDEST_FIRST = sql`created_at, id`;

// Limits the bytes in the large columns of a page. The process holds a few copies of them.
const PAGE_BYTES_MAX = 2 * 1024 * 1024;

interface PageBounds {
  readonly limit: number;
  /** An SQL expression for the bytes in a row's large columns. It refers to the columns of `page`. */
  readonly bytes: RawBuilder<number>;
  /** The order of the rows: by default that of `newestFirst`. */
  readonly order?: RawBuilder<unknown>;
}

/** A row, its position on the page from 1, and whether a row follows it, on the page or after it. */
export type PageRow<Row> = Row & { page_position: number; has_more: boolean };

/**
 * Returns an expression for FROM that ends a page before its rows have more than 2 MiB of `bytes`, but after at least one row
 * (interface §1). `limited` selects up to `limit + 1` rows in the given order. Select large columns as they are, and convert them
 * outside: rows are measured one at a time, and large values behind the end of the page are not read from storage.
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

/** Returns an expression for the bytes of these columns as text, for `withinBytes`. */
export function bytesOf(...columns: string[]): RawBuilder<number> {
  const lengths = columns.map((column) => sql`coalesce(octet_length(page.${sql.ref(column)}::text), 0)`);
  return sql`(${sql.join(lengths, sql` + `)})`;
}
