// Counts the requests that each limit refuses (interface §14).
import type { Metrics } from "@tradepost/runtime";

type LimitName =
  | "rate"
  | "tenant_rate"
  | "tenant_concurrency"
  | "tenant_uploads"
  | "tenant_connections"
  | "media_links"
  | "service_connections"
  | "sign_in"
  | "password_hash"
  | "taken_emails";

/** Counts one refused request. */
export type CountLimited = (limit: LimitName) => void;

export function countLimited(metrics: Metrics): CountLimited {
  const counter = metrics.counter("requests_limited_total", "Requests refused by a limit.", ["limit"]);
  return (limit) => counter.inc({ limit });
}
