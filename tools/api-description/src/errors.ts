// Which errors a route may respond with, by status (interface §1). Pure.
import { bodyOf, type ErrorCode, type ErrorWithFields, statusOf } from "@tradepost/http";
import { QUOTA_EXCEEDED } from "@tradepost/messaging";
import type { DescribedRoute } from "./described-route.ts";
import { isOpen } from "./described-route.ts";

/** Errors of any request: it is not valid HTTP, the gateway or a service is unavailable, or a limit is reached. */
const OF_EVERY_ROUTE: readonly ErrorCode[] = [
  "bad_request",
  "validation_error",
  "payload_too_large",
  "rate_limited",
  "internal_error",
  "upstream_unavailable",
  "service_unavailable",
  "upstream_timeout",
];

const OF_AUTHENTICATION: readonly ErrorCode[] = [
  "unauthorized",
  "forbidden",
  "tenant_suspended",
  "second_factor_required",
  "address_not_allowed",
];
const OF_A_BODY: readonly ErrorCode[] = ["invalid_json", "unsupported_media_type"];
const OF_AN_IDEMPOTENCY_KEY: readonly ErrorCode[] = ["idempotency_key_reused"];

/** By ascending status, each code once. */
export function errorsOf(row: DescribedRoute): ErrorWithFields[] {
  const own = [
    ...(row.about.errors ?? []).map((error) =>
      typeof error === "string" ? { code: error, fields: {} } : error,
    ),
    // A deletion is never refused for a quota.
    ...(row.about.emits !== undefined && row.method !== "DELETE" ? [QUOTA_EXCEEDED] : []),
  ];
  const common = [
    ...OF_EVERY_ROUTE,
    ...(isOpen(row, row.about) ? [] : OF_AUTHENTICATION),
    ...(row.module === null ? [] : ["module_disabled" as const]),
    ...(bodyOf(row) === undefined ? [] : OF_A_BODY),
    ...(row.isIdempotent ? OF_AN_IDEMPOTENCY_KEY : []),
    ...(row.path.includes("/:") ? ["not_found" as const] : []),
    ...(row.about.ifMatch ? ["version_mismatch" as const] : []),
  ].filter((code) => own.every((error) => error.code !== code));
  return [...own, ...common.map((code) => ({ code, fields: {} }))].sort(
    (a, b) => statusOf(a.code) - statusOf(b.code),
  );
}

export const ERROR_TEXTS: Readonly<Record<ErrorCode, string>> = {
  unauthorized: "No credential, or one that is malformed, unknown, revoked or expired.",
  forbidden: "The caller lacks the role or the scope, or the operation is for users only.",
  module_disabled: "The tenant has not activated the module.",
  tenant_suspended: "The operator has suspended the tenant.",
  address_not_allowed: "The key may not be used from the caller's address.",
  second_factor_required: "The tenant requires a second factor, and the user has none.",
  not_found: "The tenant has no such resource.",
  method_not_allowed: "The path exists with other methods.",
  conflict: "Another resource has a value that must be unique, or the state does not allow it.",
  customer_erased: "The personal data of the customer is erased.",
  order_exists: "An order of the channel has this `externalId`.",
  order_number_taken: "An order of the tenant has this `orderNumber`.",
  order_already_paid: "The order is paid.",
  order_cancelled: "The order is cancelled.",
  order_refunded: "The order was refunded, and takes no payment.",
  order_not_paid: "The order is not paid.",
  nothing_to_refund: "Nothing is left to refund.",
  reference_reused: "A payment or a refund of the order with another amount has this reference.",
  refund_required: "Money has to be refunded first.",
  invalid_transition: "The state does not allow it.",
  api_key_limit: "The tenant has 100 live API keys.",
  email_taken: "A user has this e-mail address.",
  last_owner: "The tenant would have no active owner.",
  last_identity: "No owner could sign in: passwords are switched off.",
  content_type_in_use: "An existing entry would become invalid.",
  redirect_exists: "A redirect from this path exists.",
  redirect_loop: "The redirect would lead in a circle, or over too many others.",
  subscription_limit: "The tenant has 50 subscriptions.",
  listener_limit: "The tenant has 20 listeners.",
  lease_lost: "Another client has leased the delivery since.",
  rotation_in_progress: "The earlier secret or key is still accepted.",
  replay_running: "Another replay of the subscription is running.",
  key_revoked: "The API key is revoked.",
  quota_exceeded: "The tenant has used up a quota; deletions, reads and deliveries go on.",
  cursor_expired: "The cursor is older than the events that are kept.",
  version_mismatch: "`If-Match` names another version.",
  payload_too_large: "The body is too large: above 2 MiB, 4 KiB for sign-in, or 25 MiB for a file.",
  unsupported_media_type: "The body has another media type, or it is compressed.",
  range_not_satisfiable: "The range is outside the file.",
  invalid_json: "The body is empty or not valid JSON.",
  bad_request: "The request is not valid HTTP, or its body is cut short or too slow.",
  validation_error: "Fields of the body or parameters are at fault; `details` names each.",
  idempotency_key_reused: "The `Idempotency-Key` belongs to another request.",
  rate_limited: "A limit of the caller or the tenant is reached; wait for `Retry-After`.",
  internal_error: "A fault in the platform.",
  upstream_unavailable: "The service behind the path broke off.",
  service_unavailable: "The service or its database cannot respond at the moment; wait for `Retry-After`.",
  upstream_timeout: "The service behind the path took too long.",
};
