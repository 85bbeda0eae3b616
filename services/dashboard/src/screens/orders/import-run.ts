// Sends the parts of an import one after the other. A part without a response is sent again with the same key, so that no order is
// placed twice.
import type { ItemOf } from "@tradepost/client/operations";
import { Failure } from "../../api/failure.ts";
import type { Part } from "./import-file.ts";

type Result = ItemOf<"importOrders">;
type Refusal = Extract<Result, { success: false }>["error"];

/** A refusal may also be of what is done with a placed order. */
export type ImportResult =
  | Extract<Result, { success: true }>
  | {
      readonly index: number;
      readonly success: false;
      readonly error: Pick<Refusal, "message" | "details" | "orderId">;
    };

export interface KeyedPart extends Part {
  readonly key: string;
}

interface ImportSteps {
  readonly send: (part: KeyedPart) => Promise<readonly ImportResult[]>;
  readonly pause: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
  readonly onPart: (part: KeyedPart, results: readonly ImportResult[]) => void;
  /** Called with true when the import waits to try again, and with false after a response. */
  readonly onWaiting: (isWaiting: boolean) => void;
}

const WAIT_MS = 3_000;

/** Resolves when all parts have a result, or after a stop. Rejects with a `Failure` if trying again would not help. */
export async function runImport(parts: readonly KeyedPart[], steps: ImportSteps): Promise<void> {
  for (const part of parts) {
    const results = await sendUntilSettled(part, steps);
    if (results === null) return;
    steps.onPart(part, results);
  }
}

async function sendUntilSettled(part: KeyedPart, steps: ImportSteps) {
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
