// A request that did not succeed, as screens show it: the meaning, the next step, and what is wrong with each field. Pure.
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

const FORBIDDEN: Readonly<Record<string, string>> = {
  module_disabled: "This module is not active",
  tenant_suspended: "This shop is suspended",
  address_not_allowed: "This key may not be used from here",
  second_factor_required: "Set up a second factor first",
};

/** `isStale` is true if the screen shows outdated data, so that the next step is to read it again. */
export function explain(failure: Failure) {
  const text = sentence(failure.message);
  const plain = (title: string, more = text) => ({ title, text: more, isStale: false });
  switch (failure.status) {
    case 0:
      return plain(
        "Tradepost cannot be reached",
        "The request got no response. Check the connection and try again.",
      );
    case 401:
      return plain("You are signed out", "Sign in again to go on.");
    case 403:
      return plain(FORBIDDEN[failure.code] ?? "Your role does not allow this");
    case 404:
      return { title: "This no longer exists", text, isStale: true };
    case 409:
      if (failure.code === "customer_erased") return plain("This person was erased");
      if (failure.code === "quota_exceeded") return plain("The shop's quota is used up");
      return { title: "This has changed in the meantime", text, isStale: true };
    case 412:
      return { title: "Someone else has changed this", text, isStale: true };
    case 422:
      return plain(
        "Some fields need attention",
        failure.details.length > 0 ? "Correct the marked fields and try again." : text,
      );
    case 429:
      return plain("Too many requests");
    default:
      return failure.status >= 500
        ? plain(
            "Something went wrong on our side",
            "Try again in a moment. If it goes on, give your operator the request id.",
          )
        : plain("The request was refused");
  }
}

/**
 * A detail at `scopes[1]` or `scopes.x` belongs to the field `scopes`. `rest` are the details without a field on the screen, to be
 * shown above the form.
 */
export function fieldErrors(details: readonly ErrorDetail[], names: readonly string[]) {
  const byField: Partial<Record<string, string>> = {};
  const rest: ErrorDetail[] = [];
  for (const detail of details) {
    const name = names.find(
      (one) =>
        detail.path === one || (/^[.[]/.test(detail.path.slice(one.length)) && detail.path.startsWith(one)),
    );
    if (name === undefined) rest.push(detail);
    else byField[name] = [byField[name], sentence(detail.message)].filter(Boolean).join(" ");
  }
  return { byField, rest };
}

/** `must be in the future` becomes `Must be in the future.` */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
