// Statements for lists whose filters have no index (interface §1). An index per filter would cost every write more than it is
// worth. So only a bounded number of rows is searched for matches, and a page may end there.
import { type RawBuilder, sql } from "kysely";

/** A row that matches, or the last row that was searched, which has `is_end`. */
type SearchedRow<Row> = Row & { readonly is_end: boolean };

// Takes about 100 ms if no row matches and the latest attempt of each is looked up.
const SEARCHED_ROWS_MAX = 10_000;

/**
 * Returns the statement for one page. `from` is a FROM clause with the conditions that an index supports, and `order` an ORDER BY
 * that the same index supports. The rows found are then searched for `conditions`, with the columns that the join `lookup` adds.
 * The statement returns one row more than `limit` if there is a next page. If the search ends before that, the last row searched
 * follows the matches. Otherwise the limit ends the statement before that row is read.
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

/** Joins the conditions by `and`. */
export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `);
}
