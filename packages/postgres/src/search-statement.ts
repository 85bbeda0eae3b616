// Lists whose filters have no index (interface §1). An index for each would cost every write more than it is worth, so the rows that
// match are searched among a bounded number, and a page may end there.
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

/** All of these conditions. */
export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `);
}
