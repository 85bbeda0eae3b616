import { type TimelineEntry, timelineText } from "./timeline-text.ts";

const AT = {
  eventId: null,
  createdAt: "2026-11-23T10:00:00.000Z",
  version: 2,
  status: "placed",
  paymentStatus: "paid",
  actor: null,
  requestId: null,
} as const;

test.each<[Partial<TimelineEntry> & Pick<TimelineEntry, "type">, string]>([
  [{ type: "order.placed" }, "Placed"],
  [{ type: "order.paid", payment: { id: "p", status: "succeeded", amount: 70.47 } }, "Paid 70.47"],
  [
    { type: "order.payment_failed", payment: { id: "p", status: "failed", amount: 5, reference: "ch_1" } },
    "Payment of 5 failed (ch_1)",
  ],
  [{ type: "order.fulfilled", trackingNumber: null, carrier: null }, "Shipped"],
  [{ type: "order.fulfilled", trackingNumber: "1Z9", carrier: "UPS" }, "Shipped with UPS 1Z9"],
  [{ type: "order.delivered" }, "Delivered"],
  [{ type: "order.cancelled", reason: "Out of stock." }, "Cancelled: Out of stock."],
  [{ type: "order.refunded", refund: { id: "r", amount: 1.5, reason: "Broken" } }, "Refunded 1.5: Broken"],
  [
    { type: "order.updated", part: "paid", payment: { id: "p", status: "succeeded", amount: 5 } },
    "Paid a part: 5",
  ],
  [{ type: "order.updated", part: "shipped", carrier: "UPS" }, "Shipped a part with UPS"],
  [{ type: "order.updated", part: "delivered" }, "Delivered a part"],
  [
    { type: "order.updated", changed: ["internalNote", "carrier", "colour"] },
    "Changed the internal note, the carrier and colour",
  ],
])("%j reads %s", (entry, text) => {
  const { before, amount = "", after = "" } = timelineText({ ...AT, ...entry });
  expect(`${before}${amount}${after}`).toBe(text);
});
