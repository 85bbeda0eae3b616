// Why one try of a request failed. Pure.
import type { ErrorDetail } from "../error-types.ts";

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly details: readonly ErrorDetail[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;
  readonly isTransient: boolean;
  /** A cause that contains nothing of the request. */
  readonly cause?: Error;
}

const TRANSIENT_STATUSES: readonly number[] = [408, 429, 500, 502, 503, 504];
const DETAILS_MAX = 200;
const MESSAGE_CHARACTERS_MAX = 2_000;

/** `body` is the parsed body, or undefined if it is not JSON. */
export function failureOfResponse(
  status: number,
  body: unknown,
  headers: { readonly requestId: string | null; readonly retryAfterSeconds: number | null },
): Failure {
  const error = isRecord(body) && body.success === false && isRecord(body.error) ? body.error : undefined;
  if (typeof error?.code !== "string" || typeof error.message !== "string") {
    return {
      ...withoutResponse("invalid_response", unexpected(status), TRANSIENT_STATUSES.includes(status)),
      status,
      ...headers,
    };
  }
  const { code, message, requestId, details, ...fields } = error;
  return {
    code,
    message: printable(message),
    status,
    requestId: typeof requestId === "string" ? requestId : headers.requestId,
    details: detailsOf(details),
    fields,
    retryAfterSeconds: headers.retryAfterSeconds,
    // The platform also responds with 408 to a request whose body was cut short.
    isTransient: TRANSIENT_STATUSES.includes(status),
  };
}

export function withoutResponse(code: string, message: string, isTransient: boolean, cause?: Error): Failure {
  return {
    code,
    message,
    status: null,
    requestId: null,
    details: [],
    fields: {},
    retryAfterSeconds: null,
    isTransient,
    ...(cause !== undefined && { cause }),
  };
}

function unexpected(status: number): string {
  if (status >= 300 && status < 400) return "the server redirects to another address, which is not followed";
  return "the response is not Tradepost's; is `url` the address of the gateway?";
}

function detailsOf(details: unknown): ErrorDetail[] {
  if (!Array.isArray(details)) return [];
  return details
    .slice(0, DETAILS_MAX)
    .filter(isRecord)
    .map(({ path, message }) => ({ path: printable(path), message: printable(message) }));
}

/** Makes a text of the server safe to print in a terminal or a log. */
function printable(text: unknown): string {
  return String(text)
    .slice(0, MESSAGE_CHARACTERS_MAX)
    .replace(/\p{Cc}+/gu, " ");
}

/** Lists are no records. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
