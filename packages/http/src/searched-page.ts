// A page of a list that searched a bounded number of rows (`searchStatement` of `@tradepost/postgres`).
import { cursorOf, cursorPage, type ListPage, type PageQuery, type Position } from "./cursor-page.ts";

/**
 * A page with fewer items than the limit has a `nextCursor` if not all rows were searched. `shown` makes the item of a row, by
 * default the row itself.
 */
export function searchedPage<Row, Item extends Position>(
  rows: readonly (Row & { readonly is_end: boolean })[],
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
