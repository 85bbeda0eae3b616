// An HTTP client for integrations. It repeats a request that got no response, or one that asks to try later, until the
// platform responds: a restart, a limit or a lost connection only costs time.
//
// Repeating a POST is safe because it has an Idempotency-Key: the key names the change, and the change happens once, however
// often it is sent. The key must be the same in every try, also after a crash of the client. So it is derived from the
// client's own data (`order-4711`), not random.
import { setTimeout as sleep } from "node:timers/promises";
import got, { HTTPError } from "got";

/** A page of a list or of a change feed. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly page: { readonly nextCursor: string | null; readonly hasMore?: boolean };
}

export interface Client {
  get<T>(path: string, query?: Record<string, string | number>): Promise<Page<T>>;
  /** `key` names the change. */
  post<T>(path: string, key: string, body?: unknown): Promise<T>;
  /** A PUT and a DELETE can be repeated as they are. */
  put(path: string, body: unknown): Promise<void>;
  delete(path: string): Promise<void>;
}

/** A response that no repetition changes. `error` is the `error` object of the response. */
export class Refused extends Error {
  readonly status: number;
  readonly error: ErrorBody;

  constructor(status: number, error: ErrorBody) {
    super(`${status} ${error.code}: ${error.message}`);
    this.status = status;
    this.error = error;
  }
}

/** Some codes have a field of their own, such as `orderId`. */
interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  readonly [field: string]: unknown;
}

const TRIES_MAX = 60;
/** Longer than the longest `waitSeconds`. */
const TIMEOUT_MS = 40_000;
const RETRY_STATUS = [408, 429, 500, 502, 503, 504];

export function connect(gatewayUrl: string, token: string): Client {
  const http = got.extend({
    prefixUrl: gatewayUrl,
    headers: { authorization: `Bearer ${token}` },
    timeout: { request: TIMEOUT_MS },
    retry: { limit: 0 },
    responseType: "json",
  });
  return {
    get: (path, query = {}) => patiently(() => http.get(path, { searchParams: query }).json()),
    post: async <T>(path: string, key: string, body: unknown = {}) => {
      const headers = { "idempotency-key": key };
      const response = await patiently(() => http.post(path, { json: body, headers }).json<{ data: T }>());
      return response.data;
    },
    put: (path, body) => patiently(() => http.put(path, { json: body })).then(() => undefined),
    delete: async (path) => {
      await patiently(() => http.delete(path)).catch((error: unknown) => {
        // An earlier try has deleted it.
        if (!(error instanceof Refused) || error.status !== 404) throw error;
      });
    },
  };
}

/** Repeats the request for as long as the failure may pass. */
async function patiently<T>(request: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await request();
    } catch (error) {
      const response = error instanceof HTTPError ? error.response : undefined;
      if (response !== undefined && !RETRY_STATUS.includes(response.statusCode)) {
        throw new Refused(response.statusCode, (response.body as { error: ErrorBody }).error);
      }
      if (tries === TRIES_MAX) throw error;
      await sleep(waitMs(tries, response?.headers["retry-after"]));
    }
  }
}

/** As long as the response asks for; otherwise longer with each try, up to 1 s, and never the same for all clients. */
function waitMs(tries: number, retryAfter: string | undefined): number {
  if (retryAfter !== undefined) return Number(retryAfter) * 1_000;
  return Math.min(1_000, 50 * 2 ** tries) * (0.5 + Math.random() / 2);
}
