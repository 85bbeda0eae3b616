// Reads a list page by page, and keeps it up to date without moving it under the pointer: every few seconds its first page is read
// again. Changes of the shown items appear in their places; new items are counted, and shown on request.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ItemOf, OperationId, QueryOf } from "@tradepost/client/operations";
import { useEffect, useState } from "react";
import type { Failure } from "../api/failure.ts";
import { newItems, type Page, refreshed, withHead } from "./live-list.ts";
import { keyOfList, LIVE_MS, type ListPage, readPage, useList } from "./operations.ts";

export interface News {
  readonly count: number;
  /** True if there may be more than `count`. */
  readonly hasMore: boolean;
  readonly show: () => void;
  /** The ids of the items that `show` added last. */
  readonly added: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

interface Cached<Of> {
  readonly pages: Of[];
  readonly pageParams: unknown[];
}

export function useLiveList<Id extends OperationId>(id: Id, query: QueryOf<Id> | undefined) {
  // Every live list has items with ids.
  type Item = ItemOf<Id> & { readonly id: string };
  type ItemPage = ListPage<Id> & Page<Item>;
  const list = useList(id, query, { refetchOnWindowFocus: false });
  const cache = useQueryClient();
  const key = keyOfList(id, undefined, query);
  const first = useQuery<ListPage<Id>, Failure>({
    queryKey: [...key, "first page"],
    queryFn: ({ signal }) => readPage(id, undefined, query, null, signal),
    // The list itself has just been read.
    initialData: () => cache.getQueryData<Cached<ListPage<Id>>>(key)?.pages[0],
    initialDataUpdatedAt: () => cache.getQueryState(key)?.dataUpdatedAt,
    enabled: list.items !== undefined,
    refetchInterval: LIVE_MS,
  });
  const [added, setAdded] = useState(NONE);
  // When the list's own first page was read: further pages are read later.
  const [own, setOwn] = useState({ page: list.data?.[0], readAt: list.dataUpdatedAt });
  if (own.page !== list.data?.[0]) setOwn({ page: list.data?.[0], readAt: list.dataUpdatedAt });
  // A change by the user reads the whole list, which is then newer than this page.
  const head = first.dataUpdatedAt >= own.readAt ? (first.data as ItemPage | undefined) : undefined;
  const shown = list.items as Item[] | undefined;
  const unseen = head === undefined ? [] : newItems(shown ?? [], head);
  const show = () => {
    if (head === undefined) return;
    setAdded(new Set(unseen.map((item) => item.id)));
    cache.setQueryData<Cached<ItemPage>>(key, (now) => {
      if (now === undefined) return now;
      const pages = withHead<Item, ItemPage>(now.pages, head);
      return { pages, pageParams: now.pageParams.slice(0, pages.length) };
    });
  };
  const items = shown && (head === undefined ? shown : refreshed(shown, head));
  // In an empty list nothing can move.
  const isFirst = items?.length === 0 && unseen.length > 0;
  useEffect(() => {
    if (isFirst) show();
  });
  const hasMore = unseen.length > 0 && unseen.length === head?.data.length && head.nextCursor !== null;
  const news: News = { count: isFirst ? 0 : unseen.length, hasMore, show, added };
  return {
    ...list,
    items,
    news,
    counted: (head ?? list.data?.[0])?.counted,
    refreshHead: first.refetch,
    /** When the pages after the first were read, in milliseconds since 1970; undefined if there are none. */
    olderReadAt: (list.data?.length ?? 0) > 1 ? list.dataUpdatedAt : undefined,
  };
}
