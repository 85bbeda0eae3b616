// Makes a page of a list from a search over a bounded number of rows (`searchStatement` of `@tradepost/postgres`).
import { cursorOf, cursorPage, type ListPage, type PageQuery, type Position } from "./cursor-page.ts";

/**
 * Returns a page (interface §1). It may have fewer items than the limit and still a `nextCursor`, if rows remain to be searched.
 * `shown` returns the item that is shown, by default the item itself.
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
