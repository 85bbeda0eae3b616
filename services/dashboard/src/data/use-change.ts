// Changes a resource, by the operation's id. Afterwards the affected data is read again, even if the change was refused because
// of another change.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DataOf, OperationId } from "@tradepost/client/operations";
import { useRef } from "react";
import type { Failure } from "../api/failure.ts";
import type { Input, Reply } from "../api/send.ts";
import { randomKey, request } from "../session/request.ts";

interface ChangeOptions<Id extends OperationId> {
  /** The operations whose data is read again. */
  readonly stale: readonly OperationId[];
  readonly onDone?: (data: DataOf<Id>) => void;
}

/** `ifMatch` is the `etag` of the version that is changed. */
export type ChangeInput<Id extends OperationId> = Input<Id> & { readonly ifMatch?: string | undefined };

export function useChange<Id extends OperationId>(id: Id, { stale, onDone }: ChangeOptions<Id>) {
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
