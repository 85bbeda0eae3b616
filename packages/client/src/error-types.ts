// The types of an error's fields, as the OpenAPI document defines them.
import type { FieldsByCode, ErrorCode as PlatformErrorCode } from "./generated/error-codes.ts";

/** Codes of the client itself, for requests without a usable response. */
export type ClientErrorCode = "aborted" | "connection_failed" | "invalid_response" | "timeout";

/** A `switch` over all of them can be checked for completeness. */
export type ErrorCode = PlatformErrorCode | ClientErrorCode;

export interface ErrorDetail {
  /** The place in the body or the query: `items[3].quantity`. */
  readonly path: string;
  readonly message: string;
}

/** The additional fields of an error with this code (interface §1). A newer platform may add more. */
export type ErrorFields<Code extends ErrorCode = ErrorCode> = Readonly<Record<string, unknown>> &
  (Code extends keyof FieldsByCode ? FieldsByCode[Code] : unknown);
