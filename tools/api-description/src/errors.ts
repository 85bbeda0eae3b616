// Which errors a route may respond with, by status (interface §1). Pure.
import { bodyOf, type ErrorCode, type ErrorWithFields, QUOTA_EXCEEDED, statusOf } from "@tradepost/http";
import type { DescribedRoute } from "./described-route.ts";
import { isOpen } from "./is-open.ts";

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
];
const OF_A_BODY: readonly ErrorCode[] = ["invalid_json", "unsupported_media_type"];
const OF_AN_IDEMPOTENCY_KEY: readonly ErrorCode[] = ["idempotency_key_reused"];

/** Returns the errors of a route by ascending status, each code once. */
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
