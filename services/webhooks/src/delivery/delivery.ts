// A delivery's life: what may happen to it and what it becomes then. Every change of a status is read from here, also
// those that SQL makes to many at once. Pure (specification, "Webhook delivery"; contract §7).

/** Still to be sent, now or once its subscription is active again. */
export type OpenStatus = "pending" | "retrying" | "paused";
export type ClosedStatus = "delivered" | "failed" | "cancelled";
export type DeliveryStatus = OpenStatus | ClosedStatus;

export const deliveryStatuses = [
  ...(["pending", "retrying", "paused"] as const satisfies OpenStatus[]),
  ...(["delivered", "failed", "cancelled"] as const satisfies ClosedStatus[]),
] as const;

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

/** An attempt's outcome in one phrase: `timeout`, `http_status 500`. */
export function reasonOf({ outcome, statusCode }: { outcome: Outcome; statusCode: number | null }): string {
  return outcome === "http_status" ? `http_status ${statusCode}` : outcome;
}

export interface Wait {
  readonly label: string;
  readonly ms: number;
}

export type Verdict =
  | { readonly happening: "arrived" }
  | { readonly happening: "attempt failed"; readonly wait: Wait }
  | { readonly happening: "last attempt failed" };

/**
 * In: the attempt just made (1 is the first), its outcome, and the waits between attempts.
 * Out: what happened to the delivery by it: the last attempt is the one after which there is no wait.
 */
export function afterAttempt(attempt: number, outcome: Outcome, schedule: readonly Wait[]): Verdict {
  if (outcome === "delivered") return { happening: "arrived" };
  const wait = schedule[attempt - 1];
  return wait === undefined ? { happening: "last attempt failed" } : { happening: "attempt failed", wait };
}

export type Happening =
  | Verdict["happening"]
  | "paused"
  | "resumed before its first attempt"
  | "resumed between attempts"
  | "cancelled"
  | "redelivered"
  | "redelivered while paused";

// What is missing cannot happen. An attempt may end after its delivery was paused or cancelled: what arrived, arrived;
// otherwise a paused one stays paused until its attempts are used up, and a cancelled one stays cancelled.
const LIFE: Readonly<Record<Happening, Partial<Record<DeliveryStatus, DeliveryStatus>>>> = {
  arrived: { pending: "delivered", retrying: "delivered", paused: "delivered", cancelled: "delivered" },
  "attempt failed": { pending: "retrying", retrying: "retrying", paused: "paused", cancelled: "cancelled" },
  "last attempt failed": { pending: "failed", retrying: "failed", paused: "failed", cancelled: "cancelled" },
  paused: { pending: "paused", retrying: "paused" },
  "resumed before its first attempt": { paused: "pending" },
  "resumed between attempts": { paused: "retrying" },
  cancelled: { pending: "cancelled", retrying: "cancelled", paused: "cancelled" },
  redelivered: fromAny("pending"),
  "redelivered while paused": fromAny("paused"),
};

/** Out: the status after it, or null where this cannot happen to a delivery of that status. */
export function statusAfter(happening: Happening, before: DeliveryStatus): DeliveryStatus | null {
  return LIFE[happening][before] ?? null;
}

/** The same as columns, for statements that change many deliveries at once. */
export function transitions(...happenings: Happening[]): {
  happening: Happening[];
  before: DeliveryStatus[];
  after: DeliveryStatus[];
} {
  const rows = happenings.flatMap((happening) =>
    deliveryStatuses.flatMap((before) => {
      const after = statusAfter(happening, before);
      return after === null ? [] : [{ happening, before, after }];
    }),
  );
  return {
    happening: rows.map(({ happening }) => happening),
    before: rows.map(({ before }) => before),
    after: rows.map(({ after }) => after),
  };
}

function fromAny(after: DeliveryStatus) {
  return Object.fromEntries(deliveryStatuses.map((before) => [before, after]));
}
