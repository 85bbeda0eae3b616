// A request that did not succeed, as screens show it. Pure.
import type { ErrorDetail } from "@tradepost/client/operations";

interface FailureFields {
  /** 0 if there was no response. */
  readonly status: number;
  /** The API's code; `connection_failed` if there was no response. */
  readonly code: string;
  readonly message: string;
  readonly requestId: string | null;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | null;
  /** The whole error as it was sent, for fields that only some codes have, such as `orderId`. */
  readonly error?: Readonly<Record<string, unknown>>;
}

export class Failure extends Error implements FailureFields {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | null;
  readonly error: Readonly<Record<string, unknown>>;

  constructor(fields: FailureFields) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.details = fields.details;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.error = fields.error ?? {};
  }

  /** True if the same request may succeed later. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Makes the failure from a response with an error status. `body` is undefined if it is not JSON. */
export function failureOfResponse(status: number, headers: Headers, body: unknown): Failure {
  const error = (body as { error?: Partial<FailureFields> } | undefined)?.error;
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  return new Failure({
    status,
    code: error?.code ?? "invalid_response",
    message: error?.message ?? "The response is not one of Tradepost's.",
    requestId: error?.requestId ?? headers.get("x-request-id"),
    details: Array.isArray(error?.details) ? error.details : [],
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    ...(error !== undefined && { error: { ...error } }),
  });
}

export function withoutResponse(): Failure {
  return new Failure({
    status: 0,
    code: "connection_failed",
    message: "There was no response.",
    requestId: null,
    details: [],
    retryAfterSeconds: null,
  });
}

/** Makes a failure, as the platform would send it, from the faults that a form finds itself. */
export function refusalOf(details: readonly ErrorDetail[]): Failure {
  return new Failure({
    status: 422,
    code: "validation_failed",
    message: "Some fields need attention.",
    requestId: null,
    details,
    retryAfterSeconds: null,
  });
}
