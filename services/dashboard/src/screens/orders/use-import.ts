import { useQueryClient } from "@tanstack/react-query";
import type { DataOf } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import type { Failure } from "../../api/failure.ts";
import type { Input } from "../../api/send.ts";
import { runBulk } from "../../data/bulk-run.ts";
import { randomKey, request } from "../../session/request.ts";
import type { ImportItem, ImportStep } from "./import-rows.ts";
import { type ImportResult, type Part, partsOf, runImport } from "./import-run.ts";

export interface RefusedOrder {
  readonly item: ImportItem;
  readonly error: Extract<ImportResult, { success: false }>["error"];
}

export interface Import {
  readonly total: number;
  readonly done: number;
  readonly refused: readonly RefusedOrder[];
  readonly accepted: readonly AcceptedOrder[];
  readonly status: "running" | "waiting" | "stopped" | "over";
  readonly error: Failure | null;
}

export interface AcceptedOrder {
  readonly item: ImportItem;
  readonly order: DataOf<"getOrder">;
}

/** A trial changes nothing: it says what the import would do. */
export function useImport({ isTrial }: { readonly isTrial: boolean }) {
  const cache = useQueryClient();
  const [state, setState] = useState<Import | null>(null);
  const left = useRef<readonly Part[]>([]);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const change = (values: Partial<Import>) => setState((now) => now && { ...now, ...values });

  const goOn = async () => {
    const controller = new AbortController();
    const { signal } = controller;
    abort.current = controller;
    change({ status: "running", error: null });
    const error = await runImport(left.current, {
      send: async ({ items, key }) => {
        // The platform validates the orders of the file.
        const body = { orders: items.map(({ order }) => order) as never };
        const input = { body, ...(isTrial && { query: { dryRun: true } }) };
        const { data } = await request("importOrders", input, { idempotencyKey: key, signal });
        return isTrial ? data : await withSteps(data, items, key, signal);
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
    if (isTrial) return;
    await Promise.all([
      cache.invalidateQueries({ queryKey: ["listOrders"] }),
      cache.invalidateQueries({ queryKey: ["getOrderStatistics"] }),
    ]);
  };
  /** `refused` are orders that are not even sent. */
  const start = (items: readonly ImportItem[], refused: readonly RefusedOrder[] = []) => {
    left.current = partsOf(items).map((part) => ({ items: part, key: randomKey() }));
    const total = items.length + refused.length;
    setState({ total, done: refused.length, refused, accepted: [], status: "running", error: null });
    void goOn();
  };
  const reset = () => {
    abort.current?.abort();
    setState(null);
  };
  return { state, start, goOn, stop: () => abort.current?.abort(), reset };
}

/**
 * Carries out the steps of the placed orders. An order whose step is refused is placed all the same, and listed with the reason.
 * Rejects without a response: the part is sent again, and each step has the same key.
 */
async function withSteps(
  results: readonly ImportResult[],
  items: readonly ImportItem[],
  key: string,
  signal: AbortSignal,
): Promise<ImportResult[]> {
  const settled = new Map(results.map((result) => [result.index, result]));
  let lost: Failure | undefined;
  const work = results.map((result) => ({ result, steps: items[result.index]?.steps ?? [] }));
  await runBulk(
    work.filter(({ steps }) => steps.length > 0),
    {
      isStopped: () => signal.aborted || lost !== undefined,
      send: async ({ result, steps }) => {
        for (const step of result.success ? steps : []) {
          const input = { path: { id: result.success && result.data.id } } as Input<ImportStep>;
          const body = step === "recordPayment" ? { status: "succeeded" } : {};
          const idempotencyKey = `${key}-${result.index}-${step}`;
          await request(step, { ...input, body } as Input<ImportStep>, { idempotencyKey, signal });
        }
      },
      onResult: ({ result: { index, ...result } }, failure) => {
        if (failure?.isTransient) lost = failure;
        else if (failure !== null && result.success) {
          const message = `the order is placed, but not changed further: ${failure.message}`;
          settled.set(index, { index, success: false, error: { message, orderId: result.data.id } });
        }
      },
    },
  );
  if (lost !== undefined) throw lost;
  return [...settled.values()];
}

function withPart(now: Import, { items }: Part, results: readonly ImportResult[]): Import {
  const refused: RefusedOrder[] = [];
  const accepted: AcceptedOrder[] = [];
  for (const result of results) {
    const item = items[result.index];
    if (item === undefined) continue;
    if (result.success) accepted.push({ item, order: result.data });
    else refused.push({ item, error: result.error });
  }
  return {
    ...now,
    done: now.done + items.length,
    refused: [...now.refused, ...refused],
    accepted: [...now.accepted, ...accepted],
  };
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
