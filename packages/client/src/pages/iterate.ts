// Gives the items of pages one by one, and says with each where to continue after it.
import type { Response } from "../http/request.ts";
import { idOf, itemsAfter, textOf } from "./position.ts";

/** Reads one page. */
export type Fetch = (query: Readonly<Record<string, unknown>>) => Promise<Response>;

/** A page, and the cursor that it was read with. */
interface ReadPage<Item> {
  readonly page: { readonly data: readonly Item[]; readonly nextCursor: string | null };
  readonly cursor: string | undefined;
}

/** `lastId` is the last item that was seen of the first page. `reach` is called before the item is given. */
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
    // Also after a page without items: a feed moves on while nothing matches.
    if (page.nextCursor !== null) reach(page.nextCursor);
  }
}
