import { AsyncLocalStorage } from "node:async_hooks";

interface CurrentRequest {
  readonly requestId: string;
  readonly traceparent: string | undefined;
}

const requests = new AsyncLocalStorage<CurrentRequest>();

/**
 * Runs `work` with `requestId` as its current request id, across every await, so that each of its log lines has the id (interface
 * §1). `traceparent` is the parent of the spans that `work` records.
 */
export function withRequestId<T>(requestId: string, work: () => T, traceparent?: string): T {
  return requests.run({ requestId, traceparent }, work);
}

/** The request id that `withRequestId` set for the running code; undefined outside a request. */
export function currentRequestId(): string | undefined {
  return requests.getStore()?.requestId;
}

/** The `traceparent` that `withRequestId` set for the running code; undefined outside a request. */
export function currentTraceparent(): string | undefined {
  return requests.getStore()?.traceparent;
}
