// Reads one resource, by its operation's id. The key of what is read is the operation and its input.
import { useQuery } from "@tanstack/react-query";
import type { DataOf, OperationId } from "@tradepost/client/operations";
import type { Failure } from "../api/failure.ts";
import type { Input, Reply } from "../api/send.ts";
import { request } from "../session/request.ts";

interface ReadOptions {
  /** How often it is read again while the tab is visible, in milliseconds. Never by default. */
  readonly everyMs?: number | false;
}

/** `etag` is the version that was read, for the `ifMatch` of a change. */
export function useRead<Id extends OperationId>(
  id: Id,
  input: Input<Id> = {},
  { everyMs = false }: ReadOptions = {},
) {
  const { data: reply, ...read } = useQuery<Reply<DataOf<Id>>, Failure>({
    queryKey: [id, input],
    queryFn: ({ signal }) => request(id, input, { signal }),
    refetchInterval: everyMs,
  });
  return { ...read, data: reply?.data, etag: reply?.etag ?? undefined };
}
