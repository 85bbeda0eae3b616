// A refusal of the API as a tool's result: code, message, the arguments at fault, the order's state, and what to do next. Pure.
import type { ApiError, ErrorCode } from "@tradepost/http";
import { snakeCase } from "./service-calls.ts";
import { toolsForActions } from "./shown-order.ts";
import { plain } from "./untrusted-text.ts";

interface Failed {
  readonly isWrite: boolean;
  readonly hasRequestKey: boolean;
}

const FAULTS_MAX = 20;
const MESSAGE_CHARACTERS_MAX = 500;

export function toolFailure(error: ApiError, requestId: string, failed: Failed) {
  const { code, details, extra, headers } = error;
  const faults = details && shownFaults(details);
  const retryAfter = headers["retry-after"];
  return {
    code,
    message: faults?.[0] === undefined ? plain(error.message, MESSAGE_CHARACTERS_MAX) : messageOf(faults),
    ...(faults && { details: faults }),
    ...shownExtra(extra),
    ...(retryAfter !== undefined && { retry_after_seconds: Number(retryAfter) }),
    next_step: nextStep(code, failed, retryAfter),
    request_id: requestId,
  };
}

function shownFaults(details: NonNullable<ApiError["details"]>) {
  return details.slice(0, FAULTS_MAX).map(({ path, message }) => ({
    path: plain(argumentPath(path)),
    message: plain(message, MESSAGE_CHARACTERS_MAX),
  }));
}

function messageOf([first, ...others]: readonly { path: string; message: string }[]): string {
  return `${first?.path}: ${first?.message}${others.length > 0 ? ` (and ${others.length} more)` : ""}`;
}

// Names that differ from the API's in more than spelling.
const ARGUMENTS: Readonly<Record<string, string>> = {
  "Idempotency-Key": "request_key",
  ids: "customer_ids",
  body: "arguments",
};

/** Names inside these fields are the tenant's own and stay as they are. */
const VERBATIM = /^(data|metadata)(?=[.[])/;

/** `items[3].unitPrice` becomes `items[3].unit_price`. */
export function argumentPath(path: string): string {
  if (Object.hasOwn(ARGUMENTS, path)) return ARGUMENTS[path] as string;
  return VERBATIM.test(path) ? path : snakeCase(path);
}

function shownExtra({ state, orderId, customerId }: ApiError["extra"]) {
  const { status, paymentStatus, allowedActions } = (state ?? {}) as Record<string, unknown>;
  return {
    ...(state !== undefined && {
      state: { status, payment_status: paymentStatus, allowed_actions: toolsForActions(allowedActions) },
    }),
    ...(orderId !== undefined && { order_id: plain(orderId) }),
    ...(customerId !== undefined && { customer_id: plain(customerId) }),
  };
}

const NEXT_STEPS: Partial<Record<ErrorCode, string>> = {
  validation_error: "Correct the arguments named in details and call the tool again.",
  not_found: "Look the id up with a find or search tool; do not guess ids.",
  forbidden:
    "Tell the user what is missing. An administrator can make a key that has it; whoami lists what works now.",
  module_disabled: "Tell the user: the tenant's owner can activate the module.",
  customer_erased: "Tell the user: the person was erased, and nothing about them may be added.",
  order_exists: "The order is placed already: read it with get_order and order_id. Do not place it again.",
  order_number_taken: "Read the order in order_id.",
  order_already_paid: "Do not record the payment again; read the order with get_order.",
  order_cancelled: "The order is over. Tell the user.",
  order_refunded: "The order takes no more payments. Tell the user.",
  order_not_paid:
    "Nothing was paid, so nothing can be refunded. An unpaid order can be cancelled with cancel_order.",
  nothing_to_refund: "Everything is refunded already. Tell the user.",
  reference_reused:
    "This reference belongs to another amount or other lines; read the order's payments with get_order.",
  refund_required: "Call cancel_order with refund, or refund the order with refund_order first.",
  invalid_transition:
    "Use one of the tools in state.allowed_actions, or tell the user that it is not possible.",
  conflict: "Read what exists (get_order, find_customers) and go on from there; do not repeat the call.",
  version_mismatch: "It has changed meanwhile: read it again, and decide again.",
  idempotency_key_reused:
    "This request_key was used with other arguments. Use a new one, unless you meant to repeat the first call.",
  payload_too_large: "Ask for less.",
  internal_error: "Tell the user, with request_id.",
};

function nextStep(code: ErrorCode, failed: Failed, retryAfter: string | undefined): string {
  switch (code) {
    case "rate_limited":
    case "service_unavailable":
      return `Nothing was changed. Wait ${retryAfter ?? 2} seconds, then try again.`;
    case "upstream_timeout":
    case "upstream_unavailable":
      return afterUnknownOutcome(failed);
    default:
      return NEXT_STEPS[code] ?? "Tell the user what the message says.";
  }
}

function afterUnknownOutcome({ isWrite, hasRequestKey }: Failed): string {
  if (!isWrite) return "Try again in a few seconds.";
  return hasRequestKey
    ? "It may have taken effect. Repeat the same call with the same request_key: it takes effect once."
    : "It may have taken effect: read the order, customer or entry before you try again.";
}
