// Pages of lists whose filters have no index. An index for each would cost every write more than it is worth, so the rows that
// match are searched among a bounded number, and a page may end there.
import { cursorOf, cursorPage, type ListPage, type PageQuery, type Position } from "@tradepost/http";
import { type RawBuilder, sql } from "kysely";

/** A row that matches, or, marked `is_end`, the last one that was searched. */
export type SearchedRow<Row> = Row & { readonly is_end: boolean };

// About 100 ms if none of them matches and the latest attempt of each is looked up.
const SEARCHED_ROWS_MAX = 10_000;

/**
 * `from` is a FROM clause with the conditions that an index serves, `order` an ORDER BY that it serves too. The rows are then
 * searched for `conditions`, with the columns that the join `lookup` adds. The statement returns one row more than `limit` if
 * there is a next page. If all rows that may be searched have fewer matches, the last row searched follows them: it is read
 * only then, because the limit ends the statement earlier.
 */
export function searchStatement<Row>(options: {
  columns: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  lookup?: RawBuilder<unknown> | undefined;
  conditions: readonly RawBuilder<unknown>[];
  limit: number;
}): RawBuilder<SearchedRow<Row>> {
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

/**
 * A page with fewer items than the limit has a `nextCursor` if not all rows were searched. `shown` makes the item of a row, by
 * default the row itself.
 */
export function searchedPage<Row, Item extends Position>(
  rows: readonly SearchedRow<Row>[],
  { limit }: Pick<PageQuery, "limit">,
  itemOf: (row: Row) => Item,
  shown: (item: Item) => unknown = (item) => item,
): ListPage {
  const items = rows.filter((row) => !row.is_end).map(itemOf);
  const page = cursorPage(items, limit, { shown });
  const end = rows.findLast((row) => row.is_end);
  const hasAll = page.items.length === items.length;
  return end !== undefined && hasAll ? { ...page, nextCursor: cursorOf(itemOf(end)) } : page;
}

export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `);
}
