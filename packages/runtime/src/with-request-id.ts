import { AsyncLocalStorage } from "node:async_hooks";

const requestIds = new AsyncLocalStorage<string>();

/**
 * Runs `work` with `requestId` as its current request id, across every await, so that each of its log lines has the id
 * (interface §1).
 */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return requestIds.run(requestId, work);
}

/** The request id that `withRequestId` set for the running code; undefined outside a request. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}
