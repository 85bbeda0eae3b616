// What the caller is told when a service does not answer: down 503, slow 504, cut off in the middle 502 (contract §1).
import { ApiError } from "@tradepost/http";

const REFUSED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const SLOW = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const RETRY_AFTER_SECONDS = "2";

/** In: what undici threw. Out: the error to answer; the inner text goes to the log alone. */
export function upstreamFailure(cause: unknown): ApiError {
  const code = (cause as { code?: unknown } | null)?.code;
  if (typeof code === "string" && REFUSED.has(code)) {
    return new ApiError("service_unavailable", "The service behind this path is not up; try again.", {
      headers: { "retry-after": RETRY_AFTER_SECONDS },
      cause,
    });
  }
  if (typeof code === "string" && SLOW.has(code)) {
    return new ApiError("upstream_timeout", "The service behind this path took too long.", { cause });
  }
  return new ApiError("upstream_unavailable", "The service behind this path did not answer properly.", {
    cause,
  });
}
