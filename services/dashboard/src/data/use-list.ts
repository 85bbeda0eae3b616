// Reads a list page by page, newest first. `items` has the items of all pages so far.
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ItemOf, OperationId, PathOf, QueryOf } from "@tradepost/client/operations";
import type { Failure } from "../api/failure.ts";
import type { Input, Reply } from "../api/send.ts";
import { request } from "../session/request.ts";

interface ListOptions<Id extends OperationId> {
  /**
   * How often the list is read again while the tab is visible, in milliseconds. Never by default. For a list of one page: lists with
   * more pages use `useLiveList`.
   */
  readonly everyMs?: number;
  readonly path?: PathOf<Id> | undefined;
  readonly isAllowed?: boolean;
  /** False if the list is not read again when the user comes back to the tab. */
  readonly refetchOnWindowFocus?: boolean;
}

export type ListPage<Id extends OperationId> = Reply<ItemOf<Id>[]>;

export function useList<Id extends OperationId>(
  id: Id,
  query?: QueryOf<Id>,
  { everyMs, path, isAllowed = true, refetchOnWindowFocus = true }: ListOptions<Id> = {},
) {
  const list = useInfiniteQuery<ListPage<Id>, Failure, ListPage<Id>[], unknown[], string | null>({
    queryKey: keyOfList(id, path, query),
    queryFn: ({ pageParam, signal }) => readPage(id, path, query, pageParam, signal),
    enabled: isAllowed,
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages,
    refetchInterval: everyMs ?? false,
    refetchOnWindowFocus,
  });
  return { ...list, items: list.data?.flatMap((page) => page.data) };
}

export function keyOfList<Id extends OperationId>(
  id: Id,
  path: PathOf<Id> | undefined,
  query: QueryOf<Id> | undefined,
) {
  return [id, path, query];
}

// Later pages are larger: a person who goes on wants many rows.
const NEXT_ROWS = 100;

/** Without a cursor, reads the first page. */
export async function readPage<Id extends OperationId>(
  id: Id,
  path: PathOf<Id> | undefined,
  query: QueryOf<Id> | undefined,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ListPage<Id>> {
  const next = cursor === null ? {} : { limit: NEXT_ROWS, ...query, cursor, count: undefined };
  const input = { path, query: { ...query, ...next } } as Input<Id>;
  return (await request(id, input, { signal })) as ListPage<Id>;
}
