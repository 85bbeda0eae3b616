import type { DataOf } from "@tradepost/client/operations";
import { counted } from "./words.ts";

type Delivery = DataOf<"getDelivery">;
export type EventType = Delivery["type"];
export type DeliveryStatus = Delivery["status"];
export type Outcome = Delivery["attempts"][number]["outcome"];

interface Wording {
  readonly text: string;
  readonly tone: "good" | "warning" | "danger" | "quiet";
}

export const EVENT_TYPES: Readonly<Record<EventType, string>> = {
  "content.entry.created": "Entry created",
  "content.entry.updated": "Entry changed",
  "content.entry.published": "Entry published",
  "content.entry.scheduled": "Entry scheduled",
  "content.entry.unpublished": "Entry unpublished",
  "content.entry.deleted": "Entry deleted",
  "media.uploaded": "File uploaded",
  "media.processed": "File processed",
  "redirect.added": "Redirect added",
  "redirect.removed": "Redirect removed",
  "order.placed": "Order placed",
  "order.paid": "Order paid",
  "order.payment_failed": "Payment failed",
  "order.fulfilled": "Order shipped",
  "order.delivered": "Order delivered",
  "order.cancelled": "Order cancelled",
  "order.refunded": "Order refunded",
};

/** The types that every platform offers. The operator chooses whether to offer types of orders. */
export const ALWAYS_OFFERED = (Object.keys(EVENT_TYPES) as EventType[]).filter(
  (type) => !type.startsWith("order."),
);

export const DELIVERY_STATUSES: Readonly<Record<DeliveryStatus, Wording>> = {
  pending: { text: "Waiting", tone: "quiet" },
  retrying: { text: "Retrying", tone: "warning" },
  paused: { text: "Paused", tone: "warning" },
  delivered: { text: "Delivered", tone: "good" },
  failed: { text: "Failed", tone: "danger" },
  cancelled: { text: "Cancelled", tone: "quiet" },
};

const OPEN: ReadonlySet<DeliveryStatus> = new Set(["pending", "retrying", "paused"]);

/** True if the status may still change without anyone's action. */
export function isOpen(status: DeliveryStatus): boolean {
  return OPEN.has(status);
}

export const OUTCOMES: Readonly<Record<Outcome, string>> = {
  delivered: "the receiver accepts it",
  http_status: "the receiver responds with an error",
  timeout: "the receiver does not respond in time",
  dns_failed: "the name servers of the host do not respond",
  connection_refused: "the receiver refuses the connection",
  connection_reset: "the receiver closes the connection without a response",
  tls_failed: "the receiver’s certificate is not valid",
  address_refused: "the host name leads to no address, or to one that is not allowed",
  response_invalid: "the response is not valid HTTP",
  network_error: "the network fails",
};

/** `the receiver responds with 500`. */
export function outcomeText(outcome: Outcome, statusCode: number | null): string {
  if (statusCode === null || (outcome !== "http_status" && outcome !== "delivered")) return OUTCOMES[outcome];
  if (outcome === "delivered") return `the receiver accepts it with ${statusCode}`;
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return `the receiver responds with ${statusCode}${isRedirect ? ", and redirects are not followed" : ""}`;
}

/** `1 delivery waits`. */
export function waitingText(count: number): string {
  return counted(count, "delivery waits", "deliveries wait");
}

/** The `lastError` of a subscription's health, such as `http_status 500`, as a part of a sentence. */
export function lastErrorText(lastError: string): string {
  const [outcome = "", code] = lastError.split(" ");
  if (!Object.hasOwn(OUTCOMES, outcome)) return lastError;
  return outcomeText(outcome as Outcome, code === undefined ? null : Number(code));
}

type Failures = Pick<DataOf<"getSubscription">["health"], "consecutiveFailures" | "lastError">;

/** `5 attempts failed in a row: the receiver responds with 500.`; empty if the latest attempt did not fail. */
export function failuresText({ consecutiveFailures, lastError }: Failures): string {
  if (consecutiveFailures === 0) return "";
  const failures =
    consecutiveFailures === 1
      ? "The latest attempt failed"
      : `${consecutiveFailures} attempts failed in a row`;
  return `${failures}${lastError === null ? "" : `: ${lastErrorText(lastError)}`}.`;
}
