import { ApiError } from "@tradepost/http";

/** 429 `rate_limited`; the message says which limit. */
export function rateLimited(message: string, retryAfterSeconds: string): ApiError {
  return new ApiError("rate_limited", message, { headers: { "retry-after": retryAfterSeconds } });
}
