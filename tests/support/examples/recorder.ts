// Sends requests by operation id, and records the first success of each operation as an example for the API description.
import type { ApiClient } from "@tradepost/testing";
import { describedOperations } from "../api-description.ts";
import { type Checks, checkOperation, type Sent, send } from "./check-operation.ts";

interface Received {
  readonly status: number;
  readonly headers: Headers;
  // A story reads fields of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly data: any;
}

/** Sends a request. Fails if the response is not a success. */
export type Call = (operationId: string, sent?: Omit<Sent, "token">) => Promise<Received>;

export interface Callers {
  /** Returns the calls of somebody with a credential, or without one. */
  readonly as: (token?: string) => Call;
  readonly owner: Call;
  /** With an API key that has all scopes. */
  readonly key: Call;
  /** A client with that key, whose requests are not recorded. */
  readonly client: ApiClient;
}

export interface RecordedExample {
  readonly request?: unknown;
  readonly status: number;
  readonly response: unknown;
}

const REDIRECTED = 302;

/**
 * Records the requests to the gateway at `url`. `called` contains the ids of all operations, including operations that respond with
 * files. The first request of each operation is checked, too.
 */
export function recordCalls(url: string, checks: Checks) {
  const examples = new Map<string, RecordedExample>();
  const called = new Set<string>();
  const call = async (operationId: string, sent: Sent): Promise<Received> => {
    const operation = describedOperations.find((one) => one.operationId === operationId);
    if (operation === undefined) throw new Error(`no operation has the id ${operationId}`);
    const response = called.has(operationId)
      ? await send(url, operation, sent)
      : await checkOperation(url, operation, sent, checks);
    const { status, headers, text, body } = response;
    if (status >= 300 && status !== REDIRECTED) throw new Error(`${operationId}: ${status} ${text}`);
    called.add(operationId);
    if (body !== undefined && !examples.has(operationId)) {
      const request = sent.body === undefined ? {} : { request: sent.body };
      examples.set(operationId, { ...request, status, response: body });
    }
    return { status, headers, data: body?.data };
  };
  const as: Callers["as"] = (token) => (operationId, sent) =>
    call(operationId, { ...sent, ...(token !== undefined && { token }) });
  return { as, examples, called };
}
