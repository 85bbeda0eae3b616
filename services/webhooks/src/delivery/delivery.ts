// A delivery's life: what follows an attempt. Pure (specification, "Webhook delivery"; contract §7).

export type DeliveryStatus = "pending" | "retrying" | "delivered" | "failed" | "paused" | "cancelled";

/** What can become of an attempt; the only words about it that a tenant is told. */
export type Outcome =
  | "delivered"
  | "http_status"
  | "timeout"
  | "dns_failed"
  | "connection_refused"
  | "connection_reset"
  | "tls_failed"
  | "address_refused"
  | "response_invalid"
  | "network_error";

export type Verdict =
  | { readonly status: "delivered" }
  | { readonly status: "retrying"; readonly waitMs: number; readonly waitLabel: string }
  | { readonly status: "failed" };

/** An attempt's outcome in one phrase: `timeout`, `http_status 500`. */
export function reasonOf({ outcome, statusCode }: { outcome: Outcome; statusCode: number | null }): string {
  return outcome === "http_status" ? `http_status ${statusCode}` : outcome;
}

export interface Wait {
  readonly label: string;
  readonly ms: number;
}

/**
 * In: the attempt just made (1 is the first), its outcome, and the waits between attempts.
 * Out: delivered; retrying, and after which wait; or failed, once as many waits as there are have been waited.
 */
export function afterAttempt(attempt: number, outcome: Outcome, schedule: readonly Wait[]): Verdict {
  if (outcome === "delivered") return { status: "delivered" };
  const wait = schedule[attempt - 1];
  return wait === undefined
    ? { status: "failed" }
    : { status: "retrying", waitMs: wait.ms, waitLabel: wait.label };
}
