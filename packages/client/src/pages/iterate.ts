// Yields the items of pages one by one, and reports before each item where to continue after it.
import type { Response } from "../http/request.ts";
import { idOf, itemsAfter, textOf } from "./position.ts";

export type Fetch = (query: Readonly<Record<string, unknown>>) => Promise<Response>;

interface ReadPage<Item> {
  readonly page: { readonly data: readonly Item[]; readonly nextCursor: string | null };
  readonly cursor: string | undefined;
}

/** Yields the items after `lastId`, the last one seen of the first page. `reach` gets the position after each before it. */
export async function* iterate<Item>(
  pages: AsyncIterable<ReadPage<Item>>,
  lastId: string | undefined,
  reach: (position: string | undefined) => void,
): AsyncGenerator<Item, void> {
  let seen = lastId;
  for await (const { page, cursor } of pages) {
    const rest = itemsAfter(page.data, seen);
    seen = undefined;
    for (const [index, item] of rest.entries()) {
      const isLast = index === rest.length - 1;
      reach(isLast && page.nextCursor !== null ? page.nextCursor : textOf({ cursor, lastId: idOf(item) }));
      yield item;
    }
    // Report the position after a page without items too: a feed advances while nothing matches.
    if (page.nextCursor !== null) reach(page.nextCursor);
  }
}
