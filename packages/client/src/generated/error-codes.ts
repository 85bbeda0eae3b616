// Generated from docs/openapi.json by `npm run tool -- docs`. Do not edit.
import type { components } from "./api.ts";

/** Every code of the platform's errors (interface §1). */
export type ErrorCode =
  | "address_not_allowed"
  | "api_key_limit"
  | "bad_request"
  | "conflict"
  | "content_type_in_use"
  | "cursor_expired"
  | "customer_erased"
  | "email_taken"
  | "forbidden"
  | "idempotency_key_reused"
  | "internal_error"
  | "invalid_json"
  | "invalid_transition"
  | "key_revoked"
  | "last_identity"
  | "last_owner"
  | "lease_lost"
  | "listener_limit"
  | "module_disabled"
  | "not_found"
  | "nothing_to_refund"
  | "order_already_paid"
  | "order_cancelled"
  | "order_exists"
  | "order_not_paid"
  | "order_number_taken"
  | "order_refunded"
  | "payload_too_large"
  | "quota_exceeded"
  | "range_not_satisfiable"
  | "rate_limited"
  | "redirect_exists"
  | "redirect_loop"
  | "reference_reused"
  | "refund_required"
  | "replay_running"
  | "rotation_in_progress"
  | "second_factor_required"
  | "service_unavailable"
  | "subscription_limit"
  | "tenant_suspended"
  | "unauthorized"
  | "unsupported_media_type"
  | "upstream_timeout"
  | "upstream_unavailable"
  | "validation_error"
  | "version_mismatch";

/** What a code adds to an error. A field that not every error with the code has is optional. */
export interface FieldsByCode {
  readonly conflict: {
    readonly customerId?: string;
  };
  readonly customer_erased: {
    readonly customerId?: string;
    readonly state?: components["schemas"]["OrderState"];
  };
  readonly idempotency_key_reused: {
    readonly total?: number;
  };
  readonly invalid_transition: {
    readonly state?: components["schemas"]["OrderState"];
  };
  readonly nothing_to_refund: {
    readonly state?: components["schemas"]["OrderState"];
  };
  readonly order_already_paid: {
    readonly state?: components["schemas"]["OrderState"];
  };
  readonly order_cancelled: {
    readonly state?: components["schemas"]["OrderState"];
  };
  readonly order_exists: {
    readonly orderId?: string;
  };
  readonly order_not_paid: {
    readonly state?: components["schemas"]["OrderState"];
  };
  readonly order_refunded: {
    readonly state?: components["schemas"]["OrderState"];
  };
  readonly quota_exceeded: {
    readonly customerId?: string;
    readonly quota?: string;
    readonly state?: components["schemas"]["OrderState"];
  };
  readonly reference_reused: {
    readonly state?: components["schemas"]["OrderState"];
  };
  readonly refund_required: {
    readonly state?: components["schemas"]["OrderState"];
  };
  readonly validation_error: {
    readonly total?: number;
  };
}
