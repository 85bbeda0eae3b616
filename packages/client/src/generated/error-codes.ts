// Generated from docs/openapi.json by `npm run docs`. Do not edit.

/** Every code of the platform's errors (interface §1). */
export type ErrorCode =
  | "bad_request"
  | "conflict"
  | "forbidden"
  | "idempotency_key_reused"
  | "internal_error"
  | "invalid_json"
  | "module_disabled"
  | "not_found"
  | "order_exists"
  | "order_number_taken"
  | "payload_too_large"
  | "rate_limited"
  | "service_unavailable"
  | "tenant_suspended"
  | "unauthorized"
  | "unsupported_media_type"
  | "upstream_timeout"
  | "upstream_unavailable"
  | "validation_error";
