// The states of an order in words. Pure.
import type { ItemOf } from "@tradepost/client/operations";

type Order = ItemOf<"listOrders">;

interface Wording {
  readonly text: string;
  readonly tone: "good" | "warning" | "danger" | "quiet";
}

export const ORDER_STATUSES: Readonly<Record<Order["status"], Wording>> = {
  placed: { text: "Placed", tone: "warning" },
  fulfilled: { text: "Fulfilled", tone: "good" },
  delivered: { text: "Delivered", tone: "good" },
  cancelled: { text: "Cancelled", tone: "quiet" },
};

export const PAYMENT_STATUSES: Readonly<Record<Order["paymentStatus"], Wording>> = {
  unpaid: { text: "Unpaid", tone: "quiet" },
  failed: { text: "Payment failed", tone: "danger" },
  paid: { text: "Paid", tone: "good" },
  partially_refunded: { text: "Partly refunded", tone: "warning" },
  refunded: { text: "Refunded", tone: "quiet" },
};
