// Reads a list page by page, newest first. `items` are those of all pages so far.
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ItemOf, OperationId, QueryOf } from "@tradepost/client/operations";
import type { Failure } from "../api/failure.ts";
import type { Input, Reply } from "../api/send.ts";
import { request } from "../session/request.ts";

/** `query` are the filters; the cursor is added here. */
export function useList<Id extends OperationId>(id: Id, query?: QueryOf<Id>) {
  const list = useInfiniteQuery<
    Reply<ItemOf<Id>[]>,
    Failure,
    Reply<ItemOf<Id>[]>[],
    unknown[],
    string | null
  >({
    queryKey: [id, query],
    queryFn: async ({ pageParam, signal }) => {
      const input = { query: { ...query, ...(pageParam !== null && { cursor: pageParam }) } } as Input<Id>;
      return (await request(id, input, { signal })) as Reply<ItemOf<Id>[]>;
    },
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages,
  });
  return { ...list, items: list.data?.flatMap((page) => page.data) };
}
