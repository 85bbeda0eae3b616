import type { DataOf } from "@tradepost/client/operations";

type Order = DataOf<"getOrder">;

export type OrderState = Pick<Order, "status" | "paymentStatus" | "allowedActions"> &
  Partial<Pick<Order, "fulfillment">>;
export type OrderAction = Order["allowedActions"][number];

interface Wording {
  readonly text: string;
  readonly tone: "info" | "good" | "warning" | "danger" | "quiet";
}

export const ORDER_STATUSES: Readonly<Record<Order["status"], Wording>> = {
  placed: { text: "Placed", tone: "info" },
  fulfilled: { text: "Shipped", tone: "good" },
  delivered: { text: "Delivered", tone: "good" },
  cancelled: { text: "Cancelled", tone: "quiet" },
};

export const PAYMENT_STATUSES: Readonly<Record<Order["paymentStatus"], Wording>> = {
  unpaid: { text: "Unpaid", tone: "warning" },
  failed: { text: "Payment failed", tone: "danger" },
  partially_paid: { text: "Partly paid", tone: "warning" },
  paid: { text: "Paid", tone: "good" },
  partially_refunded: { text: "Partly refunded", tone: "quiet" },
  refunded: { text: "Refunded", tone: "quiet" },
};

/** A part may be shipped before the order is. */
export function statusWording({ status, fulfillment }: Pick<OrderState, "status" | "fulfillment">): Wording {
  return status === "placed" && fulfillment === "part"
    ? { text: "Partly shipped", tone: "warning" }
    : ORDER_STATUSES[status];
}

/** Nobody waits for the money of a cancelled order. */
export function paymentWording({ status, paymentStatus }: Pick<Order, "status" | "paymentStatus">): Wording {
  const wording = PAYMENT_STATUSES[paymentStatus];
  return status === "cancelled" ? { ...wording, tone: "quiet" } : wording;
}

/** True if money for the order is due and has not arrived. A free order is never unpaid in this sense. */
export function isUnpaid({ paymentStatus, amountDue }: Pick<Order, "paymentStatus" | "amountDue">): boolean {
  return amountDue > 0 && ["unpaid", "failed", "partially_paid"].includes(paymentStatus);
}

export const CHANNELS: Readonly<Record<Order["channel"], string>> = {
  storefront: "Online shop",
  b2b_portal: "B2B portal",
  admin: "Staff",
  import: "Import",
  mcp: "Assistant",
};

export const ORDER_ACTIONS: Readonly<Record<OrderAction, string>> = {
  payments: "Record a payment",
  fulfill: "Ship",
  deliver: "Mark as delivered",
  cancel: "Cancel order",
  cancel_and_refund: "Cancel and refund",
  refund: "Refund",
};

/** Says why actions are not possible, only for actions that somebody may look for. */
export function missingActions({ status, paymentStatus, fulfillment, allowedActions }: OrderState) {
  const isHeld = paymentStatus === "paid" || paymentStatus.startsWith("partially");
  const reasons: Partial<Record<OrderAction, string>> = {
    payments: isHeld ? "paid" : "refunded",
    fulfill: status === "placed" ? "refunded" : "all is shipped",
    cancel:
      status === "placed" && fulfillment !== "part"
        ? "paid; “Cancel and refund” does both"
        : `${fulfillment === "part" ? "a part is" : "it is"} shipped; refund what comes back`,
    refund: paymentStatus === "refunded" ? "all is refunded" : "nothing is paid",
  };
  if (status === "cancelled") return [];
  return (Object.keys(reasons) as OrderAction[]).flatMap((action) => {
    const reason = reasons[action];
    return reason === undefined || allowedActions.includes(action) ? [] : [{ action, reason }];
  });
}
