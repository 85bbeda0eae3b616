// The statuses of deliveries and the outcomes of attempts, as they are stored in the tables. Pure.

/** Still to be sent, now or when its subscription is active again. */
export type OpenStatus = "pending" | "retrying" | "paused";
type ClosedStatus = "delivered" | "failed" | "cancelled";
export type DeliveryStatus = OpenStatus | ClosedStatus;

export const openStatuses = ["pending", "retrying", "paused"] as const satisfies OpenStatus[];
export const deliveryStatuses = [
  ...openStatuses,
  ...(["delivered", "failed", "cancelled"] as const satisfies ClosedStatus[]),
] as const;

export const outcomes = [
  ...(["delivered", "http_status", "timeout", "dns_failed", "connection_refused"] as const),
  ...(["connection_reset", "tls_failed", "address_refused", "response_invalid", "network_error"] as const),
] as const;

/** Deliveries that waited beyond a bound fail with these outcomes (interface §17). */
export const givenUp = ["expired", "overflow"] as const;

/** A delivery has the outcome of its latest attempt, or one of `givenUp`. */
export const deliveryOutcomes = [...outcomes, ...givenUp] as const;

export type Outcome = (typeof outcomes)[number];
