// Sends requests by operation id, and records the first success of each operation as an example for the API description.
import { describedOperations } from "./described-operations.ts";

interface Sent {
  /** The credential; missing for an operation without authentication. */
  readonly token?: string;
  /** The path parameters. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, sent as JSON. */
  readonly body?: unknown;
  /** The body, sent as a form, which is not recorded. */
  readonly form?: FormData;
}

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
const USER_AGENT = "harbour-goods/1.4";

/**
 * Records the requests to the gateway at `url`. `called` contains the ids of all operations, including those that respond with
 * files.
 */
export function recordCalls(url: string) {
  const examples = new Map<string, RecordedExample>();
  const called = new Set<string>();
  const call: Call = async (operationId, sent = {}) => {
    const operation = describedOperations.find(({ id }) => id === operationId);
    if (operation === undefined) throw new Error(`no operation has the id ${operationId}`);
    const response = await fetch(addressOf(url, operation.path, sent), {
      method: operation.method,
      headers: {
        "user-agent": USER_AGENT,
        ...(sent.token !== undefined && { authorization: `Bearer ${sent.token}` }),
        ...(sent.body !== undefined && { "content-type": "application/json" }),
        ...sent.headers,
      },
      ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
      ...(sent.form !== undefined && { body: sent.form }),
      redirect: "manual",
    });
    const text = await response.text();
    if (!response.ok && response.status !== REDIRECTED)
      throw new Error(`${operationId}: ${response.status} ${text}`);
    called.add(operationId);
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    const body = isJson ? JSON.parse(text) : undefined;
    if (isJson && !examples.has(operationId)) {
      const { status } = response;
      const request = sent.body === undefined ? {} : { request: sent.body };
      examples.set(operationId, { ...request, status, response: body });
    }
    return { status: response.status, headers: response.headers, data: body?.data };
  };
  return { call, examples, called };
}

function addressOf(url: string, path: string, { params = {}, query = {} }: Sent): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const address = new URL(filled, url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address;
}
