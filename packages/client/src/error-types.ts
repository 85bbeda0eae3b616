// The types of an error's fields, as far as the OpenAPI document says them.
import type { FieldsByCode, ErrorCode as PlatformErrorCode } from "./generated/error-codes.ts";

/** Codes of the client itself: no response, or none that it can use. */
export type ClientErrorCode = "aborted" | "connection_failed" | "invalid_response" | "timeout";

/** Every code that `TradepostError.code` may be, so that a `switch` over it can be checked for completeness. */
export type ErrorCode = PlatformErrorCode | ClientErrorCode;

export interface ErrorDetail {
  /** Where in the body or the query: `items[3].quantity`. */
  readonly path: string;
  readonly message: string;
}

/** What a code adds to an error (interface §1). A newer platform may add more. */
export type ErrorFields<Code extends ErrorCode = ErrorCode> = Readonly<Record<string, unknown>> &
  (Code extends keyof FieldsByCode ? FieldsByCode[Code] : unknown);
