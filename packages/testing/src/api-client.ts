// An HTTP client for tests. It returns every response, including errors.

export interface ClientResponse {
  readonly status: number;
  readonly headers: Headers;
  // Tests read bodies of every shape; types for all of them would describe the API a second time.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
  /** The body as received, because parsing may lose digits. */
  readonly text: string;
}

export interface ApiClient {
  get(path: string, headers?: Record<string, string>): Promise<ClientResponse>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ClientResponse>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<ClientResponse>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<ClientResponse>;
  delete(path: string, headers?: Record<string, string>): Promise<ClientResponse>;
  /** Sends a request with any method, headers and bytes. */
  send(
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: string | Buffer; signal?: AbortSignal },
  ): Promise<ClientResponse>;
}

/** The parts of a request on which its default headers may depend. */
export interface RequestToSign {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | Buffer | undefined;
}

/**
 * Returns a client of `baseUrl`. Each request has `defaultHeaders`, usually `authorization`; a function computes them for each
 * request.
 */
export function apiClient(
  baseUrl: string,
  defaultHeaders: Record<string, string> | ((request: RequestToSign) => Record<string, string>) = {},
): ApiClient {
  const send: ApiClient["send"] = async (method, path, { headers = {}, body, signal } = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...(typeof defaultHeaders === "function"
          ? defaultHeaders({ method, path, headers, body })
          : defaultHeaders),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : new Uint8Array(body) }),
      ...(signal !== undefined && { signal }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== "" ? JSON.parse(text) : text,
      text,
    };
  };
  const sendJson = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
    send(method, path, {
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    send,
    get: (path, headers) => send("GET", path, headers ? { headers } : {}),
    post: (path, body, headers) => sendJson("POST", path, body, headers),
    put: (path, body, headers) => sendJson("PUT", path, body, headers),
    patch: (path, body, headers) => sendJson("PATCH", path, body, headers),
    delete: (path, headers) => send("DELETE", path, headers ? { headers } : {}),
  };
}

/** Returns the headers that authenticate with an API key or a dashboard token. */
export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}
