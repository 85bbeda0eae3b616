// The types of an error's fields, as far as the OpenAPI document says them.
import type { ErrorCode as PlatformErrorCode } from "./generated/error-codes.ts";

/** Codes of the client itself: no response, or none that it can use. */
export type ClientErrorCode = "aborted" | "connection_failed" | "invalid_response" | "timeout";

/** Every code that `TradepostError.code` may be, so that a `switch` over it can be checked for completeness. */
export type ErrorCode = PlatformErrorCode | ClientErrorCode;

export interface ErrorDetail {
  /** Where in the body or the query: `items[3].quantity`. */
  readonly path: string;
  readonly message: string;
}

/** What some codes add to an error (interface §1). */
export interface ErrorFields {
  /** The order that exists, for `order_exists` and `order_number_taken`. */
  readonly orderId?: string;
  /** The customer that has the external id, for `conflict`. */
  readonly customerId?: string;
  /** The state of the order, for the conflicts of its actions. */
  readonly state?: unknown;
  readonly [field: string]: unknown;
}
