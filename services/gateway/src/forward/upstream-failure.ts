// What the caller is told when a service does not answer: down 503, slow 504, cut off in the middle 502 (contract §1).
import { ApiError } from "@tradepost/http";

// Nothing was sent: the name was not found, or the connection not made, whatever the reason (ECONNREFUSED, ENETUNREACH,
// EHOSTUNREACH, ETIMEDOUT, EADDRNOTAVAIL, EMFILE; ENOTFOUND, EAI_AGAIN).
const BEFORE_SENDING = new Set(["connect", "getaddrinfo"]);
const SLOW = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const RETRY_AFTER_SECONDS = "2";

/** In: what undici threw. Out: the error to answer; the inner text goes to the log alone. */
export function upstreamFailure(cause: unknown): ApiError {
  if (isBeforeSending(cause)) {
    return new ApiError("service_unavailable", "The service behind this path is not up; try again.", {
      headers: { "retry-after": RETRY_AFTER_SECONDS },
      cause,
    });
  }
  if (SLOW.has(String((cause as Failure | null)?.code))) {
    return new ApiError("upstream_timeout", "The service behind this path took too long.", { cause });
  }
  return new ApiError("upstream_unavailable", "The service behind this path did not answer properly.", {
    cause,
  });
}

interface Failure {
  readonly code?: unknown;
  readonly syscall?: unknown;
  /** Of an AggregateError, where a name has several addresses and none of them can be reached. */
  readonly errors?: readonly unknown[];
}

function isBeforeSending(cause: unknown): boolean {
  const { code, syscall, errors } = (cause ?? {}) as Failure;
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isBeforeSending);
  return BEFORE_SENDING.has(String(syscall)) || code === "UND_ERR_CONNECT_TIMEOUT";
}
