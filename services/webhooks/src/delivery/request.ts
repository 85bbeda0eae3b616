// The parts of a request to a receiver that follow from the delivery and the time of the attempt. An attempt sends them with its
// signatures, and the API shows them later without having stored them (interface §7). Pure.

const USER_AGENT = "Tradepost-Webhooks/1";

export interface RequestFacts {
  readonly tenantId: string;
  readonly deliveryId: string;
  /** From 1 in each round. */
  readonly attempt: number;
  readonly eventId: string;
  readonly type: string;
  /** When the event was committed, in ISO 8601. */
  readonly occurredAt: string;
  /** The event's data as JSON text. */
  readonly data: string;
}

/** Without those that sign the request. */
export function headersOf({
  type,
  deliveryId,
  attempt,
  eventId,
  occurredAt,
}: RequestFacts): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "User-Agent": USER_AGENT,
    "Accept-Encoding": "identity",
    "X-service-Event": type,
    "X-service-Delivery": deliveryId,
    "X-service-Attempt": String(attempt),
    "X-service-Event-Id": eventId,
    "X-service-Event-Time": occurredAt,
  };
}

/** Stands for the value of a subscription's own header wherever it is shown. In a change it keeps the value. */
export const MASK = "•••";

export function maskedHeaders(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, MASK]));
}

/** The event's data is inserted byte for byte as it is stored. `at` is when the attempt began. */
export function bodyOf({ deliveryId, type, tenantId, data }: RequestFacts, at: Date): string {
  const start = JSON.stringify({ id: deliveryId, type, tenant_id: tenantId });
  const end = JSON.stringify({ delivered_at: at.toISOString() });
  return `${start.slice(0, -1)},"data":${data},${end.slice(1)}`;
}
