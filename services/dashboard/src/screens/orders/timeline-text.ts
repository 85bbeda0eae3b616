// Describes an entry of the timeline in a sentence. Pure.
import type { ItemOf } from "@tradepost/client/operations";
import { money } from "../../format/money.ts";

export type TimelineEntry = ItemOf<"getOrderTimeline">;

const FIELDS: Readonly<Record<string, string>> = {
  customerNote: "the customer’s note",
  internalNote: "the internal note",
  metadata: "the metadata",
  shippingAddress: "the shipping address",
  billingAddress: "the billing address",
  trackingNumber: "the tracking number",
  carrier: "the carrier",
};

/** `Refunded USD 19.99: One mug was broken.` */
export function timelineText(entry: TimelineEntry, currency: string): string {
  const { type, payment, refund, reason, trackingNumber, carrier, changed = [] } = entry;
  const amountOf = (one: { amount: number } | undefined) => (one ? ` ${money(one.amount, currency)}` : "");
  switch (type) {
    case "order.placed":
      return "Placed";
    case "order.paid":
      return `Paid${amountOf(payment)}${referenceOf(payment)}`;
    case "order.payment_failed":
      return `Payment of${amountOf(payment)} failed${referenceOf(payment)}`;
    case "order.fulfilled": {
      const parcel = [carrier, trackingNumber].filter(Boolean).join(" ");
      return parcel === "" ? "Fulfilled" : `Fulfilled, sent with ${parcel}`;
    }
    case "order.delivered":
      return "Delivered";
    case "order.cancelled":
      return withReason("Cancelled", reason);
    case "order.refunded":
      return withReason(`Refunded${amountOf(refund)}${referenceOf(refund)}`, refund?.reason);
    case "order.updated":
      return `Changed ${listed(changed.map((name) => FIELDS[name] ?? name))}`;
  }
}

function referenceOf(one: { reference?: string } | undefined): string {
  return one?.reference === undefined ? "" : ` (${one.reference})`;
}

function withReason(text: string, reason: string | undefined): string {
  return reason === undefined ? text : `${text}: ${reason}`;
}

/** `a, b and c`. */
function listed(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? "the order";
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
