// Reads one resource, by its operation's id. The key of what is read is the operation and its input.
import { useQuery } from "@tanstack/react-query";
import type { DataOf, OperationId } from "@tradepost/client/operations";
import type { Failure } from "../api/failure.ts";
import type { Input } from "../api/send.ts";
import { request } from "../session/request.ts";

export function useRead<Id extends OperationId>(id: Id, input: Input<Id> = {}) {
  return useQuery<DataOf<Id>, Failure>({
    queryKey: [id, input],
    queryFn: async ({ signal }) => (await request(id, input, { signal })).data,
  });
}
