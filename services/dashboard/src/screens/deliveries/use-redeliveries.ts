// Redelivers several deliveries, one after the other, and keeps the result of each. A refused one does not stop the others.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Failure } from "../../api/failure.ts";
import { request } from "../../session/request.ts";

export type Result = "waiting" | "requested" | "stopped" | Failure;

export interface Redeliveries {
  /** Empty before the start. */
  readonly results: ReadonlyMap<string, Result>;
  readonly isRunning: boolean;
  readonly start: () => void;
  /** What was requested stays so. */
  readonly stop: () => void;
}

export function useRedeliveries(ids: readonly string[]): Redeliveries {
  const cache = useQueryClient();
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const [isRunning, setRunning] = useState(false);
  const isStopped = useRef(false);
  useEffect(
    () => () => {
      isStopped.current = true;
    },
    [],
  );
  const settle = (id: string, result: Result) => setResults((all) => new Map(all).set(id, result));
  const run = async () => {
    isStopped.current = false;
    setRunning(true);
    setResults(new Map(ids.map((id) => [id, "waiting"])));
    for (const id of ids) settle(id, isStopped.current ? "stopped" : await redeliver(id));
    setRunning(false);
    for (const operation of ["listDeliveries", "getDelivery", "getWebhookEvent", "listWebhookEvents"])
      void cache.invalidateQueries({ queryKey: [operation] });
  };
  return {
    results,
    isRunning,
    start: () => void run(),
    stop: () => {
      isStopped.current = true;
    },
  };
}

async function redeliver(id: string): Promise<Result> {
  try {
    await request("redeliver", { path: { id } });
    return "requested";
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
