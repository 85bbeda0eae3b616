// The state of an import for its screen.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import { randomKey, request } from "../../session/request.ts";
import { partsOf } from "./import-file.ts";
import { type ImportResult, type KeyedPart, runImport } from "./import-run.ts";

type Refused = Extract<ImportResult, { success: false }>;

export interface FailedOrder {
  /** The index of the order in the file, from 0. */
  readonly index: number;
  readonly order: unknown;
  readonly error: Refused["error"];
}

export interface Import {
  readonly total: number;
  readonly done: number;
  readonly failed: readonly FailedOrder[];
  readonly status: "running" | "waiting" | "stopped" | "over";
  /** The failure that stopped the import. */
  readonly error: Failure | null;
}

export function useImport() {
  const cache = useQueryClient();
  const [state, setState] = useState<Import | null>(null);
  const left = useRef<readonly KeyedPart[]>([]);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const change = (values: Partial<Import>) => setState((now) => now && { ...now, ...values });

  const goOn = async () => {
    const controller = new AbortController();
    const { signal } = controller;
    abort.current = controller;
    change({ status: "running", error: null });
    const error = await runImport(left.current, {
      send: async ({ orders, key }) => {
        // The platform validates the orders of the file.
        const body = { orders: orders as never };
        return (await request("importOrders", { body }, { idempotencyKey: key, signal })).data;
      },
      pause: (ms) => pause(ms, signal),
      isStopped: () => signal.aborted,
      onPart: (part, results) => {
        left.current = left.current.filter(({ key }) => key !== part.key);
        setState((now) => now && withPart(now, part, results));
      },
      onWaiting: (isWaiting) => change({ status: isWaiting ? "waiting" : "running" }),
    }).then(
      () => null,
      (failure: Failure) => failure,
    );
    change({ status: error === null && left.current.length === 0 ? "over" : "stopped", error });
    await cache.invalidateQueries({ queryKey: ["listOrders"] });
  };
  const start = (orders: readonly unknown[]) => {
    left.current = partsOf(orders).map((part) => ({ ...part, key: randomKey() }));
    setState({ total: orders.length, done: 0, failed: [], status: "running", error: null });
    void goOn();
  };
  return { state, start, goOn, stop: () => abort.current?.abort(), reset: () => setState(null) };
}

function withPart(now: Import, part: KeyedPart, results: readonly ImportResult[]): Import {
  const failed = results.flatMap((result) =>
    result.success
      ? []
      : [{ index: part.start + result.index, order: part.orders[result.index], error: result.error }],
  );
  return { ...now, done: now.done + part.orders.length, failed: [...now.failed, ...failed] };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
