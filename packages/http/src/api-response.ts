// Responses as handlers return them, before they are written (interface §1).
import type { Readable } from "node:stream";

/** At most one of `body`, `bytes` and `stream` is set. */
export interface ApiResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie` headers. */
  readonly cookies?: readonly string[];
  /** True if the response may differ although its `etag` is the same: `If-None-Match` is ignored. */
  readonly isAlwaysSent?: true;
  /** Written as JSON by `writeJson`. */
  readonly body?: unknown;
  /** Written unchanged; `headers` contain their `content-type`. */
  readonly bytes?: Buffer;
  /** `bytes`, compressed beforehand with gzip, for clients that accept it. */
  readonly gzipped?: Buffer;
  /** `bytes`, compressed beforehand with Brotli. Preferred over `gzipped`, because it is smaller. */
  readonly brotli?: Buffer;
  /**
   * A body that is too large for memory. `headers` contain its `content-type` and, if known, its `content-length`. The stream is
   * destroyed when the client disconnects. If the stream fails or ends early, the client's connection is destroyed, so that the
   * client does not mistake a part for the whole.
   */
  readonly stream?: Readable;
}

/** The headers of JSON that no cache may keep (interface §1), for responses that are written without `respond`. */
export const JSON_HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** Returns 200 with `{success: true, data}`. */
export function ok(data: unknown, headers: Record<string, string> = {}): ApiResponse {
  return { status: 200, headers, body: { success: true, data } };
}

/** Returns 201 with the new resource and, if it has its own path, its `Location`. */
export function created(data: unknown, location?: string, headers: Record<string, string> = {}): ApiResponse {
  return {
    status: 201,
    headers: { ...headers, ...(location !== undefined && { location }) },
    body: { success: true, data },
  };
}

/** Returns 202: the requested work has started. `data` is the resource that the work changes. */
export function accepted(data: unknown): ApiResponse {
  return { status: 202, body: { success: true, data } };
}

/** Returns 200 with one page of a list. */
export function listed<Page extends { items: readonly unknown[]; nextCursor: string | null }>({
  items,
  ...page
}: Page): ApiResponse {
  return { status: 200, body: { success: true, data: items, page } };
}
