// Reads a list page by page, newest first. `items` has the items of all pages so far.
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ItemOf, OperationId, PathOf, QueryOf } from "@tradepost/client/operations";
import type { Failure } from "../api/failure.ts";
import type { Input, Reply } from "../api/send.ts";
import { request } from "../session/request.ts";

interface ListOptions<Id extends OperationId> {
  /** How often the list is read again while the tab is visible, in milliseconds. Never by default. */
  readonly everyMs?: number;
  readonly path?: PathOf<Id>;
  /** False if the role or the modules do not allow reading the list. */
  readonly isAllowed?: boolean;
}

// Each refresh reads all pages that are shown, so a list with more pages than this is not refreshed.
const LIVE_PAGES_MAX = 3;

/** `query` has the filters; the cursor is added here. */
export function useList<Id extends OperationId>(
  id: Id,
  query?: QueryOf<Id>,
  { everyMs, path, isAllowed = true }: ListOptions<Id> = {},
) {
  const list = useInfiniteQuery<
    Reply<ItemOf<Id>[]>,
    Failure,
    Reply<ItemOf<Id>[]>[],
    unknown[],
    string | null
  >({
    queryKey: [id, path, query],
    queryFn: async ({ pageParam, signal }) => {
      const input = {
        path,
        query: { ...query, ...(pageParam !== null && { cursor: pageParam }) },
      } as Input<Id>;
      return (await request(id, input, { signal })) as Reply<ItemOf<Id>[]>;
    },
    enabled: isAllowed,
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages,
    refetchInterval: ({ state }) =>
      everyMs !== undefined && (state.data?.pages.length ?? 0) <= LIVE_PAGES_MAX ? everyMs : false,
  });
  return { ...list, items: list.data?.flatMap((page) => page.data) };
}
