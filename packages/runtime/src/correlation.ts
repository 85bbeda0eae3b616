// Carries the request id of the work in hand through every await, so that each log line can name it.
import { AsyncLocalStorage } from "node:async_hooks";

const requestIds = new AsyncLocalStorage<string>();

/** Runs `work` with `requestId` in reach of `currentRequestId` and of every log line. Contract §1. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return requestIds.run(requestId, work);
}

/** The request id of the work in hand, if there is one. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}
