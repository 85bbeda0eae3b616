// The error of the client's requests: refusals of the platform, and requests without a usable response. Of the request it
// contains only the operation's name and the idempotency key, so printing it reveals no credential.
import type { ErrorCode, ErrorDetail, ErrorFields } from "./error-types.ts";
import type { Failure } from "./http/failure.ts";

const ErrorClass = class TradepostError extends Error {
  override readonly name = "TradepostError";
  /** An error code of the platform, or a `ClientErrorCode`. A newer platform may send a code that is missing in this type. */
  declare readonly code: ErrorCode;
  /** The HTTP status, or null if there was no response. */
  declare readonly status: number | null;
  /** The id of the request in the platform's logs, or null if there was no response. */
  declare readonly requestId: string | null;
  /** All invalid fields, for `validation_error`; otherwise empty. */
  declare readonly details: readonly ErrorDetail[];
  /** The additional fields of the code: `orderId`, `state`, and so on. */
  declare readonly fields: Readonly<Record<string, unknown>>;
  /** How long the platform asks the client to wait before the next request. */
  declare readonly retryAfterSeconds: number | null;
  /** Whether the request may be repeated. A POST is safe with this `idempotencyKey`. */
  declare readonly isRetryable: boolean;
  /** The `Idempotency-Key` of all tries; null without one. Pass it again to continue after a failure. */
  declare readonly idempotencyKey: string | null;
  /** The operation's id in the platform's OpenAPI document, such as `placeOrder`. */
  declare readonly operation: string;
  /** How often the request has been sent. */
  declare readonly tries: number;

  constructor({ message, cause, ...facts }: TradepostErrorFacts) {
    super(message, cause === undefined ? {} : { cause });
    Object.assign(this, facts);
  }
};

type Instance = InstanceType<typeof ErrorClass>;

/** A refused request, or one without a usable response. Comparing its `code` narrows the types of its `fields`. */
export type TradepostError = {
  [Code in ErrorCode]: Omit<Instance, "code" | "fields"> & {
    readonly code: Code;
    readonly fields: ErrorFields<Code>;
  };
}[ErrorCode];

// A class cannot be a union type, so this constant gives it one.
export const TradepostError = ErrorClass as unknown as {
  new (facts: TradepostErrorFacts): TradepostError;
  readonly prototype: TradepostError;
};

interface TradepostErrorFacts extends Omit<Failure, "isTransient" | "cause"> {
  readonly operation: string;
  readonly tries: number;
  readonly isRetryable: boolean;
  readonly idempotencyKey: string | null;
  readonly cause?: unknown;
}
