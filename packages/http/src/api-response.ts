import type { Readable } from "node:stream";

/** Why a request is refused, without a value from the caller. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** The paths of the invalid fields. */
  readonly paths: readonly string[];
}

/** At most one of `body`, `bytes` and `stream` is set. */
export interface ApiResponse {
  readonly status: number;
  /** For the log of requests. */
  readonly refusal?: Refusal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body?: unknown;
  /** Written unchanged; `headers` contain their `content-type`. */
  readonly bytes?: Buffer;
  /** `bytes`, compressed beforehand with gzip, for clients that accept it. */
  readonly gzipped?: Buffer;
  /** `bytes`, compressed beforehand with Brotli; preferred. */
  readonly brotli?: Buffer;
  /**
   * Too large for memory. `headers` contain its `content-type` and, if known, `content-length`. Destroyed when the client
   * disconnects. If it fails or ends early, the client's connection is destroyed, so that a part is not taken for the whole.
   */
  readonly stream?: Readable;
}

/** JSON that no cache may keep (interface §1), for responses written without `respond`. */
export const JSON_HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

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

/** Returns 202 with what the requested work changes. */
export function accepted(data: unknown): ApiResponse {
  return { status: 202, body: { success: true, data } };
}

export function listed<Page extends { items: readonly unknown[]; nextCursor: string | null }>({
  items,
  ...page
}: Page): ApiResponse {
  return { status: 200, body: { success: true, data: items, page } };
}
