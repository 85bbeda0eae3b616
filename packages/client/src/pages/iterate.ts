// Yields the items of pages one by one, and reports before each item where to continue after it.
//
// To continue within a page, the client reads the page again and skips the items that were seen. If the last of them is no longer
// on the page, the client skips nothing: items may be seen twice, but none is lost.
import type { Response } from "../http/request.ts";

export type Fetch = (query: Readonly<Record<string, unknown>>) => Promise<Response>;

interface ReadPage<Item> {
  readonly page: { readonly data: readonly Item[]; readonly nextCursor: string | null };
  readonly cursor: string | undefined;
}

/** Yields the items after `lastId`, the last one seen of the first page. Before each item, `reach` gets the position after it. */
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

interface Position {
  /** The platform's cursor of the page; undefined for the first page. */
  readonly cursor: string | undefined;
  /** The last item seen of that page. */
  readonly lastId: string | undefined;
}

/** A character that no cursor of the platform contains, because they are base64url. */
const SEPARATOR = "~";

/** Parses a position of this client or a cursor of the platform. Undefined and null mean the start of the list. */
export function positionOf(text: string | null | undefined): Position {
  if (text === undefined || text === null) return { cursor: undefined, lastId: undefined };
  const at = text.lastIndexOf(SEPARATOR);
  if (at < 0) return { cursor: text, lastId: undefined };
  return { cursor: at === 0 ? undefined : text.slice(0, at), lastId: text.slice(at + 1) };
}

/**
 * Returns the text of a position, which `positionOf` parses; undefined for the start. Without an id, it is the start of the page.
 */
function textOf({ cursor, lastId }: Position): string | undefined {
  return lastId === undefined ? cursor : `${cursor ?? ""}${SEPARATOR}${lastId}`;
}

function itemsAfter<Item>(items: readonly Item[], lastId: string | undefined): readonly Item[] {
  if (lastId === undefined) return items;
  return items.slice(items.findIndex((item) => idOf(item) === lastId) + 1);
}

function idOf(item: unknown): string | undefined {
  const id = typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
  return typeof id === "string" ? id : undefined;
}
