import type { ItemOf } from "@tradepost/client/operations";
import { listed } from "../../format/words.ts";

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

interface TimelineText {
  readonly before: string;
  readonly amount?: number;
  readonly after?: string;
}

/** `Refunded 19.99: One mug was broken.` */
export function timelineText(entry: TimelineEntry): TimelineText {
  const { type, part, payment, refund, reason, trackingNumber, carrier, changed = [] } = entry;
  const parcel = [carrier, trackingNumber].filter(Boolean).join(" ");
  const shippedWith = parcel === "" ? "" : ` with ${parcel}`;
  switch (type) {
    case "order.placed":
      return { before: "Placed" };
    case "order.paid":
      return withAmount("Paid", payment);
    case "order.payment_failed":
      return withAmount("Payment of", payment, " failed");
    case "order.fulfilled":
      return { before: `Shipped${shippedWith}` };
    case "order.delivered":
      return { before: "Delivered" };
    case "order.cancelled":
      return { before: `Cancelled${reasonOf(reason)}` };
    case "order.refunded":
      return withAmount("Refunded", refund, "", refund?.reason);
    case "order.updated":
      if (part === "paid") return withAmount("Paid a part:", payment);
      if (part === "shipped") return { before: `Shipped a part${shippedWith}` };
      if (part === "delivered") return { before: "Delivered a part" };
      return { before: `Changed ${listed(changed.map((name) => FIELDS[name] ?? name)) || "the order"}` };
  }
}

function withAmount(
  before: string,
  one: { amount: number; reference?: string } | undefined,
  outcome = "",
  reason?: string,
): TimelineText {
  const reference = one?.reference === undefined ? "" : ` (${one.reference})`;
  const after = `${outcome}${reference}${reasonOf(reason)}`;
  return one === undefined
    ? { before: `${before}${after}` }
    : { before: `${before} `, amount: one.amount, after };
}

function reasonOf(reason: string | undefined): string {
  return reason === undefined ? "" : `: ${reason}`;
}
