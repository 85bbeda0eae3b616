// Sends the orders of a file in parts, one after the other. A part without a response is sent again with the same key, so that no
// order is placed twice.
import type { ItemOf } from "@tradepost/client/operations";
import { Failure } from "../../api/failure.ts";
import type { ImportItem } from "./import-rows.ts";

type Result = ItemOf<"importOrders">;
type Refusal = Extract<Result, { success: false }>["error"];

/** A refusal may also be of a step after the order was placed. */
export type ImportResult =
  | Extract<Result, { success: true }>
  | {
      readonly index: number;
      readonly success: false;
      readonly error: Pick<Refusal, "message" | "details" | "orderId">;
    };

/** The orders of one request, which has the same key each time it is sent. */
export interface Part {
  readonly items: readonly ImportItem[];
  readonly key: string;
}

// A request may have 100 orders and 2 MiB.
const ORDERS_MAX = 100;
const CHARACTERS_MAX = 500_000;

export function partsOf(items: readonly ImportItem[]): ImportItem[][] {
  const parts: ImportItem[][] = [];
  let characters = 0;
  for (const item of items) {
    const { length } = JSON.stringify(item.order);
    const last = parts.at(-1);
    if (last === undefined || last.length === ORDERS_MAX || characters + length > CHARACTERS_MAX) {
      parts.push([item]);
      characters = length;
    } else {
      last.push(item);
      characters += length;
    }
  }
  return parts;
}

interface ImportSteps {
  readonly send: (part: Part) => Promise<readonly ImportResult[]>;
  readonly pause: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
  readonly onPart: (part: Part, results: readonly ImportResult[]) => void;
  /** Called with true when the import waits to try again, and with false after a response. */
  readonly onWaiting: (isWaiting: boolean) => void;
}

const WAIT_MS = 3_000;

/** Resolves when all parts have a result, or after a stop. Rejects with a `Failure` if trying again would not help. */
export async function runImport(parts: readonly Part[], steps: ImportSteps): Promise<void> {
  for (const part of parts) {
    const results = await sendUntilSettled(part, steps);
    if (results === null) return;
    steps.onPart(part, results);
  }
}

async function sendUntilSettled(part: Part, steps: ImportSteps) {
  while (!steps.isStopped()) {
    try {
      const results = await steps.send(part);
      steps.onWaiting(false);
      return results;
    } catch (error) {
      if (steps.isStopped()) return null;
      if (!(error instanceof Failure) || !error.isTransient) throw error;
      steps.onWaiting(true);
      await steps.pause(error.retryAfterSeconds === null ? WAIT_MS : error.retryAfterSeconds * 1_000);
    }
  }
  return null;
}
