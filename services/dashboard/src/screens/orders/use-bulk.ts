// The state of an action on several orders, for its dialog.
import { useQueryClient } from "@tanstack/react-query";
import type { ItemOf } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import type { Input } from "../../api/send.ts";
import { randomKey, request } from "../../session/request.ts";
import { type ActionBody, type Operation, STALE } from "./actions.ts";
import { type BulkResult, runBulk } from "./bulk-run.ts";

type Order = ItemOf<"listOrders">;

export interface Bulk {
  readonly results: ReadonlyMap<string, BulkResult>;
  readonly isRunning: boolean;
}

/** `state` is null until the first run. */
export function useBulk(operation: Operation, orders: readonly Order[]) {
  const cache = useQueryClient();
  const [state, setState] = useState<Bulk | null>(null);
  const isStopped = useRef(false);
  // An order without a response may have been changed, so it gets the same key when it is tried again.
  const keys = useRef(new Map<string, string>());
  const stop = () => {
    isStopped.current = true;
  };
  useEffect(() => stop, []);

  const run = async (body: ActionBody, known: ReadonlyMap<string, BulkResult>) => {
    const done = new Map([...known].filter(([, result]) => result === null));
    isStopped.current = false;
    setState({ results: done, isRunning: true });
    await runBulk(
      orders.filter(({ id }) => !done.has(id)),
      {
        send: async ({ id }) => {
          const idempotencyKey = keys.current.get(id) ?? randomKey();
          keys.current.set(id, idempotencyKey);
          const input = { path: { id }, body } as Input<Operation>;
          await request<Operation>(operation, input, { idempotencyKey });
        },
        isStopped: () => isStopped.current,
        onResult: ({ id }, result) => {
          // A refusal may have another outcome the next time.
          if (result?.isTransient === false) keys.current.delete(id);
          setState((now) => now && { ...now, results: new Map([...now.results, [id, result]]) });
        },
      },
    );
    setState((now) => now && { ...now, isRunning: false });
    await Promise.all(STALE.map((name) => cache.invalidateQueries({ queryKey: [name] })));
  };
  return { state, run, stop };
}
