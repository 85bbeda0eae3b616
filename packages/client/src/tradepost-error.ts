// The error of the client's requests: refusals of the platform, and requests without a usable response. Of the request it
// contains only the operation's name and the idempotency key, so printing it reveals no credential.
import type { ErrorCode, ErrorDetail, ErrorFields } from "./error-types.ts";
import type { Failure } from "./http/failure.ts";

const ErrorClass = class TradepostError extends Error {
  override readonly name = "TradepostError";
  /** An error code of the platform, or a `ClientErrorCode`. A newer platform may send a code that is missing in this type. */
  readonly code: ErrorCode;
  /** The HTTP status, or null if there was no response. */
  readonly status: number | null;
  /** The id of the request in the platform's logs, or null if there was no response. */
  readonly requestId: string | null;
  /** All invalid fields, for `validation_error`; otherwise empty. */
  readonly details: readonly ErrorDetail[];
  /** The additional fields of the code: `orderId`, `state`, and so on. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** How long the platform asks the client to wait before the next request. */
  readonly retryAfterSeconds: number | null;
  /** A POST is safe with this `idempotencyKey`. */
  readonly isRetryable: boolean;
  /** The `Idempotency-Key` of all tries; null without one. Pass it again to continue after a failure. */
  readonly idempotencyKey: string | null;
  /** The operation's id in the platform's OpenAPI document, such as `placeOrder`. */
  readonly operation: string;
  /** How often the request has been sent. */
  readonly tries: number;

  constructor(facts: TradepostErrorFacts) {
    super(facts.message, facts.cause === undefined ? {} : { cause: facts.cause });
    this.code = facts.code as ErrorCode;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.details = facts.details;
    this.fields = facts.fields;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    this.isRetryable = facts.isRetryable;
    this.idempotencyKey = facts.idempotencyKey;
    this.operation = facts.operation;
    this.tries = facts.tries;
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
