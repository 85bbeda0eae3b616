// What a handler gives back, before it becomes an HTTP response: status, envelope, headers (contract §1).
import type { Readable } from "node:stream";

export interface ApiResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** `Set-Cookie` headers, one each. */
  readonly cookies?: readonly string[];
  /** Written as JSON. */
  readonly body?: unknown;
  /** Written as they are, in place of `body`; the headers then say what they are. */
  readonly bytes?: Buffer;
  /**
   * Written as it comes, in place of `body`, for what is too large to hold; the headers then say what it is and, where
   * it is known, its `content-length`. It is destroyed when the client goes, and the client's connection when it fails
   * or ends short: half of it never looks whole.
   */
  readonly stream?: Readable;
}

/** 200 with `{success: true, data}`. */
export function ok(data: unknown, headers: Record<string, string> = {}): ApiResponse {
  return { status: 200, headers, body: { success: true, data } };
}

/** 201 with the new resource and, where it can be read by itself, its Location. */
export function created(data: unknown, location?: string, headers: Record<string, string> = {}): ApiResponse {
  return {
    status: 201,
    headers: { ...headers, ...(location !== undefined && { location }) },
    body: { success: true, data },
  };
}

/** 202 where what was asked for has begun, with what it works on. */
export function accepted(data: unknown): ApiResponse {
  return { status: 202, body: { success: true, data } };
}

/** 200 with one page of a list. */
export function listed(page: { items: readonly unknown[]; nextCursor: string | null }): ApiResponse {
  return { status: 200, body: { success: true, data: page.items, page: { nextCursor: page.nextCursor } } };
}
