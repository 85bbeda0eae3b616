// Maps a failed request to a service to the caller's error: 503 if it is down, 504 if it is slow, 502 if its response is cut
// off (interface §1).
import { ApiError } from "@tradepost/http";

// Nothing was sent, because the name lookup or the connection failed, for whatever reason (ENOTFOUND, EAI_AGAIN;
// ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, ETIMEDOUT, EADDRNOTAVAIL, EMFILE).
const BEFORE_SENDING = new Set(["connect", "getaddrinfo"]);
const SLOW = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const RETRY_AFTER_SECONDS = "2";

/** `cause` is the error that undici threw. It is only logged; the caller does not see its text. */
export function upstreamFailure(cause: unknown): ApiError {
  if (isBeforeSending(cause)) {
    return new ApiError("service_unavailable", "The service for this path is not available; try again.", {
      headers: { "retry-after": RETRY_AFTER_SECONDS },
      cause,
    });
  }
  if (SLOW.has(String((cause as Failure | null)?.code))) {
    return new ApiError("upstream_timeout", "The service for this path took too long to respond.", { cause });
  }
  return new ApiError("upstream_unavailable", "The service for this path sent no valid response.", {
    cause,
  });
}

interface Failure {
  readonly code?: unknown;
  readonly syscall?: unknown;
  /** Set on an AggregateError: the name has several addresses, and none of them can be reached. */
  readonly errors?: readonly unknown[];
}

function isBeforeSending(cause: unknown): boolean {
  const { code, syscall, errors } = (cause ?? {}) as Failure;
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isBeforeSending);
  return BEFORE_SENDING.has(String(syscall)) || code === "UND_ERR_CONNECT_TIMEOUT";
}
