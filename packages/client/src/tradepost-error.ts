// The only error that the client's requests reject with: the platform's refusals, and requests without a usable response.
// It holds nothing of the request but the operation's name and its idempotency key, so printing it shows no credential.
import type { ErrorCode, ErrorDetail, ErrorFields } from "./error-types.ts";

const ErrorClass = class TradepostError extends Error {
  override readonly name = "TradepostError";
  /** The platform's code, or one of `ClientErrorCode`. A newer platform may send a code that this type does not list. */
  readonly code: ErrorCode;
  /** The HTTP status, or null if there was no response. */
  readonly status: number | null;
  /** The id of the request in the platform's logs, or null if there was no response. */
  readonly requestId: string | null;
  /** Every field at fault, for `validation_error`; otherwise empty. */
  readonly details: readonly ErrorDetail[];
  /** What the code adds: `orderId`, `state`, and so on. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** How long the platform asks to wait before the next request. */
  readonly retryAfterSeconds: number | null;
  /** True if the same request may succeed later and is safe to send again; a POST, with this `idempotencyKey`. */
  readonly isRetryable: boolean;
  /** The `Idempotency-Key` of all tries of the request. Pass it again to continue after a failure, or null if there was none. */
  readonly idempotencyKey: string | null;
  /** The operation's id in the platform's OpenAPI document, such as `placeOrder`. */
  readonly operation: string;
  /** How often the request was sent. */
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

/** A request that was refused, or that got no usable response. After a comparison of its `code`, its `fields` have types. */
export type TradepostError = {
  [Code in ErrorCode]: Omit<Instance, "code" | "fields"> & {
    readonly code: Code;
    readonly fields: ErrorFields<Code>;
  };
}[ErrorCode];

// A class cannot have a union as its type; only this view of it does.
export const TradepostError = ErrorClass as unknown as {
  new (facts: TradepostErrorFacts): TradepostError;
  readonly prototype: TradepostError;
};

interface TradepostErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly operation: string;
  readonly tries: number;
  readonly isRetryable: boolean;
  readonly idempotencyKey: string | null;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly details: readonly ErrorDetail[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;
  readonly cause?: unknown;
}
