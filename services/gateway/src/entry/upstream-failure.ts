// Maps a failed request to the caller's error: 503 if the service is down, 504 if it is slow, 502 if its response is cut off.
import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "@tradepost/http";

// If one of these system calls fails, for whatever reason, nothing was sent.
const BEFORE_SENDING = new Set(["connect", "getaddrinfo"]);
const SLOW = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const RETRY_AFTER_SECONDS = "2";

/** `cause` is only logged. */
export function upstreamFailure(cause: unknown): ApiError {
  if (isBeforeSending(cause)) return notAvailable(cause, RETRY_AFTER_SECONDS);
  return SLOW.has(String((cause as Failure | null)?.code)) ? tookTooLong(cause) : brokeOff(cause);
}

/** A failure of a proxy on the way; null otherwise. All errors of a service are JSON. */
export function proxyFailure(status: number, headers: IncomingHttpHeaders): ApiError | null {
  if (headers["content-type"]?.startsWith("application/json")) return null;
  const cause = new Error(`a proxy in front of the service responded with ${status}`);
  if (status === 504) return tookTooLong(cause);
  if (status !== 502 && status !== 503) return null;
  // Without this header, a proxy may have sent the request before it failed.
  const retryAfter = headers["retry-after"];
  return status === 503 && retryAfter !== undefined ? notAvailable(cause, retryAfter) : brokeOff(cause);
}

function notAvailable(cause: unknown, retryAfter: string): ApiError {
  return new ApiError("service_unavailable", "The service for this path is not available; try again.", {
    headers: { "retry-after": retryAfter },
    cause,
  });
}

function tookTooLong(cause: unknown): ApiError {
  return new ApiError("upstream_timeout", "The service for this path took too long to respond.", { cause });
}

function brokeOff(cause: unknown): ApiError {
  return new ApiError("upstream_unavailable", "The service for this path sent no valid response.", { cause });
}

interface Failure {
  readonly code?: unknown;
  readonly syscall?: unknown;
  /** One for each address of the name. */
  readonly errors?: readonly unknown[];
}

function isBeforeSending(cause: unknown): boolean {
  const { code, syscall, errors } = (cause ?? {}) as Failure;
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isBeforeSending);
  return BEFORE_SENDING.has(String(syscall)) || code === "UND_ERR_CONNECT_TIMEOUT";
}
