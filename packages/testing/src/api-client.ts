import { randomUUID } from "node:crypto";
import { type Principal, principalHeaders } from "@tradepost/http";
import { newTraceparent } from "@tradepost/runtime";

export interface ClientResponse {
  readonly status: number;
  readonly headers: Headers;
  // Types for all of them would describe the API a second time.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
  /** The body as received, because parsing may lose digits. */
  readonly text: string;
}

export type ApiClient = ReturnType<typeof apiClient>;
type Lines = Record<string, string>;
type Sent = { method: string; path: string; headers?: Lines; body?: string | Buffer | undefined };

/** Returns errors too. `defaultHeaders` are usually `authorization`; a function computes them for each request. */
export function apiClient(baseUrl: string, defaultHeaders: Lines | ((request: Sent) => Lines) = {}) {
  const headersOf = typeof defaultHeaders === "function" ? defaultHeaders : () => defaultHeaders;
  const send = async (
    method: string,
    path: string,
    { headers = {}, body, signal }: { headers?: Lines; body?: string | Buffer; signal?: AbortSignal } = {},
  ): Promise<ClientResponse> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headersOf({ method, path, headers, body }), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : new Uint8Array(body) }),
      ...(signal !== undefined && { signal }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    const json = isJson && text !== "" ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body: json, text };
  };
  const sendJson = (method: string, path: string, body: unknown, headers?: Lines) =>
    send(method, path, {
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    send,
    get: (path: string, headers: Lines = {}) => send("GET", path, { headers }),
    post: (path: string, body?: unknown, headers?: Lines) => sendJson("POST", path, body, headers),
    put: (path: string, body?: unknown, headers?: Lines) => sendJson("PUT", path, body, headers),
    patch: (path: string, body?: unknown, headers?: Lines) => sendJson("PATCH", path, body, headers),
    delete: (path: string, headers: Lines = {}) => send("DELETE", path, { headers }),
  };
}

export function faultPaths({ body }: Pick<ClientResponse, "body">): string[] {
  return (body.error?.details ?? []).map(({ path }: { path: string }) => path).sort();
}

/** Returns the invalid fields of a 422, or the status and text of another response. */
export function invalidFields({ status, body, text }: ClientResponse): string {
  const isInvalid = status === 422 && body.error.code === "validation_error";
  return isInvalid ? faultPaths({ body }).join(" ") : `${status} ${text}`;
}

/** Reads all pages of a list. */
export async function readPages(
  { get }: Pick<ApiClient, "get">,
  path: string,
  afterPage: (page: ClientResponse) => unknown = () => undefined,
): Promise<ClientResponse["body"][][]> {
  const pages = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = cursor && `${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`;
    const page = await get(path + query);
    if (page.status !== 200) throw new Error(`${path}${query}: ${page.status} ${page.text}`);
    pages.push(page.body.data);
    cursor = page.body.page.nextCursor;
    await afterPage(page);
  }
  return pages;
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** Signs as the gateway does (interface §3). By default the principal is an owner with all modules and scopes. */
export function requestSigner(secret: string, overrides: Partial<Principal> = {}) {
  const principal: Principal = {
    tenantId: randomUUID(),
    role: "owner",
    actor: { type: "user", id: randomUUID(), name: "Test Owner" },
    scopes: ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"],
    modules: ["crm", "content"],
    ...overrides,
  };
  return ({ method, path, headers, body }: Sent, nowSeconds?: number) =>
    principalHeaders(
      principal,
      {
        ...{ method, path, requestId: randomUUID(), traceparent: newTraceparent() },
        // HTTP removes blanks around a header's value.
        idempotencyKey: headers?.["idempotency-key"]?.trim(),
        body: body === undefined || body === "streamed" ? body : Buffer.from(body),
      },
      secret,
      nowSeconds,
    );
}

export function signedClient(url: string, secret: string, overrides?: Partial<Principal>): ApiClient {
  return apiClient(url, requestSigner(secret, overrides));
}

/** Returns a function that looks up a series, `name` or `name{label="value"}`, without the label `service`. */
export async function readMetrics(url: string): Promise<(series: string) => number | undefined> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`no metrics: ${response.status} ${text}`);
  const values = new Map(
    text.split("\n").flatMap((line): [string, number][] => {
      const [, name, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === undefined) return [];
      const others = labels.replace(/,?service="[^"]*"/, "").replace(/^,/, "");
      return [[others === "" ? name : `${name}{${others}}`, Number(value)]];
    }),
  );
  return (series) => values.get(series);
}
