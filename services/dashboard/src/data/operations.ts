// The hooks by which a screen reads one resource, reads a list page by page, or changes a resource.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { DataOf, ItemOf, OperationId, PathOf, QueryOf } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import type { Failure } from "../api/failure.ts";
import type { Input, Reply } from "../api/send.ts";
import { randomKey, request } from "../session/request.ts";
import { say } from "./messages.ts";

/** How often data that changes by itself is read again while the tab is visible. */
export const LIVE_MS = 5_000;
/** The same for figures, which cost more to read. */
export const SLOW_MS = 10_000;

type EveryMs = number | false;

interface ReadOptions<Data> {
  /** How often the resource is read again while the tab is visible, in milliseconds; may depend on the data. Never by default. */
  readonly everyMs?: EveryMs | ((data: Data) => EveryMs);
  readonly isAllowed?: boolean;
}

export function readQuery<Id extends OperationId>(id: Id, input: Input<Id>) {
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) => request(id, input, { signal });
  return { queryKey: [id, input], queryFn };
}

/** `etag` is the version that was read, for the `ifMatch` of a change. */
export function useRead<Id extends OperationId>(
  id: Id,
  input: Input<Id> = {},
  { everyMs = false, isAllowed = true }: ReadOptions<DataOf<Id>> = {},
) {
  const { data: reply, ...read } = useQuery<Reply<DataOf<Id>>, Failure>({
    ...readQuery(id, input),
    enabled: isAllowed,
    refetchInterval: ({ state }) =>
      typeof everyMs !== "function" ? everyMs : state.data !== undefined && everyMs(state.data.data),
  });
  return { ...read, data: reply?.data, etag: reply?.etag ?? undefined };
}

export interface ChangeOptions<Id extends OperationId> {
  /** The operations whose data is read again, even after a refusal, because somebody else may have changed it. */
  readonly stale?: readonly OperationId[];
  /** The toast after the change. */
  readonly done?: string | ((data: DataOf<Id>) => string) | undefined;
  readonly onDone?: (data: DataOf<Id>) => void;
}

/** `ifMatch` is the `etag` of the version that is changed. */
export type ChangeInput<Id extends OperationId> = Input<Id> & { readonly ifMatch?: string | undefined };

export function useChange<Id extends OperationId>(
  id: Id,
  { stale = [], done, onDone }: ChangeOptions<Id> = {},
) {
  const cache = useQueryClient();
  const unsettled = useRef<{ readonly input: string; readonly key: string } | null>(null);
  // A request without a response may have been carried out, so the same request gets the same key when it is sent again.
  const keyOf = (input: unknown) => {
    const text = JSON.stringify(input);
    if (unsettled.current?.input !== text) unsettled.current = { input: text, key: randomKey() };
    return unsettled.current.key;
  };
  return useMutation<Reply<DataOf<Id>>, Failure, ChangeInput<Id>>({
    mutationFn: ({ ifMatch, ...input }) =>
      request(id, input as Input<Id>, {
        idempotencyKey: keyOf(input),
        ...(ifMatch !== undefined && { ifMatch }),
      }),
    onSuccess: ({ data }) => {
      unsettled.current = null;
      if (done !== undefined) say(typeof done === "string" ? done : done(data));
      onDone?.(data);
    },
    onError: (failure) => {
      if (!failure.isTransient) unsettled.current = null;
    },
    onSettled: async () => {
      await Promise.all(stale.map((operation) => cache.invalidateQueries({ queryKey: [operation] })));
    },
  });
}

/** After a 412, `theirs` is the result of `read`. The failure is in `error` only if `read` fails. */
export function useVersionedChange<Id extends OperationId, Read extends OperationId>(
  id: Id,
  read: Read,
  options: ChangeOptions<Id>,
) {
  // Undefined while it is read, null if it cannot be read.
  const [theirs, setTheirs] = useState<Reply<DataOf<Read>> | null>();
  const change = useChange(id, options);
  const send = (input: ChangeInput<Id>) => {
    setTheirs(undefined);
    change.mutate(input, {
      onError: async ({ status }) => {
        if (status !== 412) return;
        const { path } = input as Input;
        setTheirs(await request(read, { path } as Input<Read>).catch(() => null));
      },
    });
  };
  const reset = () => {
    setTheirs(undefined);
    change.reset();
  };
  const error = change.error?.status === 412 && theirs !== null ? null : change.error;
  return { theirs, send, reset, error, isPending: change.isPending };
}

interface ListOptions<Id extends OperationId> {
  /**
   * How often the list is read again while the tab is visible, in milliseconds. Never by default. All its pages are read again: a
   * list that grows by "Show more" uses `useLiveList`.
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

interface Pages {
  readonly items: readonly unknown[] | undefined;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
  readonly error: Failure | null;
}

export function useFurtherPages(list: Pages, areWanted: boolean): void {
  const { items, hasNextPage, isFetchingNextPage, fetchNextPage, error } = list;
  const isNext = areWanted && items !== undefined && hasNextPage && !isFetchingNextPage && error === null;
  useEffect(() => {
    if (isNext) void fetchNextPage();
  }, [isNext, fetchNextPage]);
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
