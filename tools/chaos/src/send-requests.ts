// Sends requests of customers through the gateway, on connections of its own.
import type { TenantCredentials } from "@tradepost/devstack";
import { Agent } from "undici";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpResponse {
  /** 0 without a response. */
  readonly status: number;
  readonly hasRetryAfter: boolean;
  /** Empty without a response. */
  // Each route has a body of its own, and its reader knows which.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
  /** The error if no response arrived. */
  readonly failure?: string;
}

export type Sender = ReturnType<typeof createSender>;

const CONNECTIONS = 64;
// More than the gateway waits for a service, 30 s.
const REQUEST_TIMEOUT_MS = 40_000;

export function createSender(url: string) {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  return {
    close: () => agent.close(),
    /** Resolves to a response with the status 0 if nothing arrives. */
    send: async (
      { apiKey }: TenantCredentials,
      { method, path, body, headers }: HttpRequest,
    ): Promise<HttpResponse> => {
      try {
        const response = await agent.request({
          origin: url,
          path,
          method,
          headers: {
            authorization: `Bearer ${apiKey}`,
            ...(body !== undefined && { "content-type": "application/json" }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        });
        const text = await response.body.text();
        return {
          status: response.statusCode,
          hasRetryAfter: response.headers["retry-after"] !== undefined,
          body: JSON.parse(text),
        };
      } catch (error) {
        return { status: 0, hasRetryAfter: false, body: {}, failure: String(error) };
      }
    },
  };
}

export type FailedRequest = ReturnType<typeof failedRequest>;

export function failedRequest(
  { method, path }: HttpRequest,
  { status, hasRetryAfter, failure }: Pick<HttpResponse, "status" | "hasRetryAfter" | "failure">,
) {
  // Method, path with `{id}`, and the error if any.
  const name = `${method} ${path.replace(/\?.*/, "").replaceAll(/[0-9a-f-]{36}/g, "{id}")}${failure === undefined ? "" : ` (${failure})`}`;
  return { status, hasRetryAfter, name };
}

/** False if the request may have taken effect or not, and may be repeated. */
export function isAnswered({ status }: HttpResponse): boolean {
  return status !== 0 && status < 500;
}
