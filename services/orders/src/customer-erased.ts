// The refusal of a change that would give an erased customer personal data again (interface §20).
import { ApiError } from "@tradepost/http";

export function customerErased(extra: Record<string, unknown> = {}): ApiError {
  return new ApiError("customer_erased", "The customer's personal data is erased.", { extra });
}
