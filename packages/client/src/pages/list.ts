// A list as an async iterable. It reads page after page, and can be continued after a crash.
import { type Fetch, iterate, positionOf } from "./iterate.ts";

export interface Page<Item> {
  readonly data: readonly Item[];
  /** The `cursor` of the next page; null after the last page. */
  readonly nextCursor: string | null;
}

/** A list, newest first. No request is sent until it is iterated or a method is called. */
export interface List<Item> extends AsyncIterable<Item> {
  /** Pass it as `cursor` to continue there, even in another process. Undefined before the first item. */
  readonly cursor: string | undefined;
  /** Returns the first page, or the page at `cursor`. */
  page(): Promise<Page<Item>>;
  pages(): AsyncIterable<Page<Item>>;
  /** Returns at most `limit` items, which must fit in memory. */
  toArray(options: { readonly limit: number }): Promise<Item[]>;
}

/** The platform's largest page. */
const PAGE_ITEMS = 100;

/** Creates a list. The `cursor` in `query` may be the platform's or a position of this client. */
export function createList<Item>(fetch: Fetch, query: Readonly<Record<string, unknown>>): List<Item> {
  const start = positionOf(query.cursor as string | undefined);
  let reached = query.cursor as string | undefined;
  const read = async (cursor: string | undefined, limit: unknown): Promise<Page<Item>> => {
    const { data, page } = await fetch({ ...query, limit, cursor });
    return { data: data as Item[], nextCursor: page?.nextCursor ?? null };
  };
  const pages = async function* (limit: unknown = query.limit ?? PAGE_ITEMS) {
    let cursor = start.cursor;
    for (;;) {
      const page = await read(cursor, limit);
      yield { page, cursor };
      if (page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  };
  const items = (limit?: unknown) =>
    iterate<Item>(pages(limit), start.lastId, (position) => {
      reached = position;
    });
  return {
    get cursor() {
      return reached;
    },
    page: () => read(start.cursor, query.limit),
    pages: async function* () {
      for await (const { page } of pages()) {
        yield page;
        reached = page.nextCursor ?? reached;
      }
    },
    toArray: async ({ limit }) => {
      const array: Item[] = [];
      if (limit <= 0) return array;
      for await (const item of items(query.limit ?? Math.min(limit, PAGE_ITEMS))) {
        array.push(item);
        if (array.length >= limit) break;
      }
      return array;
    },
    [Symbol.asyncIterator]: () => items(),
  };
}
