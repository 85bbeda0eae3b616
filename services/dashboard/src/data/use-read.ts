// Reads one resource, by the operation's id. The cache key is the operation and its input.
import { useQuery } from "@tanstack/react-query";
import type { DataOf, OperationId } from "@tradepost/client/operations";
import type { Failure } from "../api/failure.ts";
import type { Input, Reply } from "../api/send.ts";
import { request } from "../session/request.ts";

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
