// Lets pages of other origins use the API with a bearer credential (interface §11). With the origin `*`, no script sees the
// response to a request with cookies.
import type { IncomingMessage } from "node:http";
import type { ApiResponse } from "./api-response.ts";

/** `path` has no query. */
export type OpenToOrigins = (path: string) => boolean;

const EXPOSED_HEADERS =
  "Allow, Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Link, Location, RateLimit, " +
  "RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, WWW-Authenticate, " +
  "X-Request-Id";
const REQUEST_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, X-Request-Id";
// Browsers cache a preflight for at most two hours (Chromium) or a day (Firefox).
const PREFLIGHT_KEPT_SECONDS = 7_200;

const RESPONSE_HEADERS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS,
};

const PREFLIGHT: ApiResponse = {
  status: 204,
  headers: {
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": REQUEST_HEADERS,
    "access-control-max-age": String(PREFLIGHT_KEPT_SECONDS),
  },
  bytes: Buffer.alloc(0),
};

/** Failures need these headers too. */
export function crossOriginHeaders(
  req: IncomingMessage,
  isOpen: OpenToOrigins | undefined,
): Readonly<Record<string, string>> {
  return isOpen?.(pathOf(req)) ? RESPONSE_HEADERS : {};
}

/** Returns null unless the request is a preflight. */
export function preflightResponse(req: IncomingMessage, isOpen?: OpenToOrigins): ApiResponse | null {
  if (req.method !== "OPTIONS" || req.headers.origin === undefined) return null;
  if (req.headers["access-control-request-method"] === undefined) return null;
  return isOpen?.(pathOf(req)) ? PREFLIGHT : null;
}

function pathOf(req: IncomingMessage): string {
  return (req.url ?? "").split("?", 1)[0] ?? "";
}
