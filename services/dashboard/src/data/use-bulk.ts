// The state of an action on several resources, for its dialog.
import { useQueryClient } from "@tanstack/react-query";
import type { OperationId } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import { randomKey } from "../session/request.ts";
import { type BulkResult, runBulk } from "./bulk-run.ts";

export interface Bulk {
  /** The results by the ids of the items. An item that was not sent has no result. */
  readonly results: ReadonlyMap<string, BulkResult>;
  readonly isRunning: boolean;
}

export type Send<Item> = (item: Item, options: { readonly idempotencyKey: string }) => Promise<unknown>;

const NONE: Bulk["results"] = new Map();

/** `stale` are the operations whose results the action changes. `state` is null until the first run. */
export function useBulk<Item extends { readonly id: string }>(
  items: readonly Item[],
  stale: readonly OperationId[],
) {
  const cache = useQueryClient();
  const [state, setState] = useState<Bulk | null>(null);
  const isStopped = useRef(false);
  // An item without a response may have been changed, so it gets the same key when it is tried again.
  const keys = useRef(new Map<string, string>());
  const stop = () => {
    isStopped.current = true;
  };
  useEffect(() => stop, []);

  /** Leaves out items that are done according to `known`. Resolves to true if all items are done then. */
  const run = async (send: Send<Item>, known = NONE) => {
    const done = new Map([...known].filter(([, result]) => result === null));
    isStopped.current = false;
    let doneCount = done.size;
    setState({ results: done, isRunning: true });
    await runBulk(
      items.filter(({ id }) => !done.has(id)),
      {
        send: async (item) => {
          const idempotencyKey = keys.current.get(item.id) ?? randomKey();
          keys.current.set(item.id, idempotencyKey);
          await send(item, { idempotencyKey });
        },
        isStopped: () => isStopped.current,
        onResult: ({ id }, result) => {
          if (result === null) doneCount += 1;
          // A refused item gets a new key, so that trying again is a new request.
          if (result?.isTransient === false) keys.current.delete(id);
          setState((now) => now && { ...now, results: new Map([...now.results, [id, result]]) });
        },
      },
    );
    setState((now) => now && { ...now, isRunning: false });
    await Promise.all(stale.map((name) => cache.invalidateQueries({ queryKey: [name] })));
    return doneCount === items.length;
  };
  return { state, run, stop };
}
