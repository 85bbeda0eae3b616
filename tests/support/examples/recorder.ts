// Sends requests by operation id, and records the first success of each operation as an example for the API description.
import { type Checks, checkOperation, type Sent, send } from "./check-operation.ts";
import { describedOperations } from "./described-operations.ts";

interface Received {
  readonly status: number;
  readonly headers: Headers;
  // A story reads fields of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly data: any;
}

/** Sends a request. Fails if the response is not a success. */
export type Call = (operationId: string, sent?: Sent) => Promise<Received>;

export interface RecordedExample {
  readonly request?: unknown;
  readonly status: number;
  readonly response: unknown;
}

const REDIRECTED = 302;

/**
 * Records the requests to the gateway at `url`. `called` contains the ids of all operations, including those that respond with
 * files. The first request of each operation is checked, too.
 */
export function recordCalls(url: string, checks: Checks) {
  const examples = new Map<string, RecordedExample>();
  const called = new Set<string>();
  const call: Call = async (operationId, sent = {}) => {
    const operation = describedOperations.find(({ id }) => id === operationId);
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
  return { call, examples, called };
}
