/** Every error code of the API (interface §1, §4, §5 and §7). */
const STATUS_BY_CODE = {
  unauthorized: 401,
  forbidden: 403,
  module_disabled: 403,
  tenant_suspended: 403,
  second_factor_required: 403,
  address_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  customer_erased: 409,
  order_exists: 409,
  order_number_taken: 409,
  order_already_paid: 409,
  order_cancelled: 409,
  order_refunded: 409,
  order_not_paid: 409,
  nothing_to_refund: 409,
  reference_reused: 409,
  refund_required: 409,
  invalid_transition: 409,
  api_key_limit: 409,
  email_taken: 409,
  last_owner: 409,
  last_identity: 409,
  content_type_in_use: 409,
  redirect_exists: 409,
  redirect_loop: 409,
  subscription_limit: 409,
  listener_limit: 409,
  lease_lost: 409,
  rotation_in_progress: 409,
  replay_running: 409,
  key_revoked: 409,
  quota_exceeded: 409,
  cursor_expired: 410,
  version_mismatch: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  invalid_json: 400,
  bad_request: 400,
  validation_error: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  upstream_unavailable: 502,
  service_unavailable: 503,
  upstream_timeout: 504,
} as const;

export type ErrorCode = keyof typeof STATUS_BY_CODE;

export function statusOf(code: ErrorCode): number {
  return STATUS_BY_CODE[code];
}

/** Such as `items[3].quantity`; never the value, which may be a secret. */
export interface FieldFault {
  readonly path: string;
  readonly message: string;
}

/** `cause` is only logged. `details` are the invalid fields, `extra` further fields of the error (interface §1). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: readonly FieldFault[] | undefined;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    more: {
      details?: readonly FieldFault[];
      extra?: Record<string, unknown>;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.status = STATUS_BY_CODE[code];
    this.code = code;
    this.details = more.details;
    this.extra = more.extra ?? {};
    this.headers = more.headers ?? {};
  }
}

/** Returns the `error` object of a failure's envelope (interface §1). */
export function errorBody({ code, message, details, extra }: ApiError, requestId: string) {
  return { code, message, requestId, ...(details && { details }), ...extra };
}

/** Returns a 422 that names every invalid field; an empty path stands for the body. `extra` are further fields of the error. */
export function invalid(faults: readonly FieldFault[], extra: Record<string, unknown> = {}): ApiError {
  const details = faults.map(({ path, message }) => ({ path: shownPath(path) || "body", message }));
  const first = details[0];
  const message = first ? `${first.path}: ${first.message}` : "The request is not valid.";
  const others = details.length > 1 ? ` (and ${details.length - 1} more)` : "";
  return new ApiError("validation_error", `${message}${others}`, { details, extra });
}

/** Returns a 404 for a resource that does not exist or belongs to another tenant. */
export function notFound(what: string): ApiError {
  return new ApiError("not_found", `No such ${what}.`);
}

/** @throws 404 if the value is null. */
export function required<Found>(found: Found | null | undefined, what: string): Found {
  if (found === null || found === undefined) throw notFound(what);
  return found;
}

// Without this limit, 200 faults below a name of 1 MB would make a response of 200 MB.
const NAME_CHARACTERS_MAX = 128;
const PATH_CHARACTERS_MAX = 1_024;

/** Joins names and indices into a path, which is truncated if it is long. */
export function fieldPath(parts: readonly PropertyKey[]): string {
  const path = parts.reduce<string>((written, part) => {
    if (typeof part === "number") return `${written}[${part}]`;
    const name = truncate(String(part), NAME_CHARACTERS_MAX);
    return written === "" ? name : `${written}.${name}`;
  }, "");
  return shownPath(path);
}

function shownPath(path: string): string {
  return truncate(path, PATH_CHARACTERS_MAX);
}

function truncate(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}…`;
}
