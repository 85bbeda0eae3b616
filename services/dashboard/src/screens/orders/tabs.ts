// The tabs above the orders, by the work that is left to do. Pure.
import type { DataOf, QueryOf } from "@tradepost/client/operations";

type Open = DataOf<"getOrderStatistics">["open"];

interface TabOfOrders {
  readonly text: string;
  readonly query: Pick<QueryOf<"listOrders">, "status" | "paymentStatus">;
  /** The figure that counts the same orders as the query finds. */
  readonly count?: keyof Open;
}

const NOT_CANCELLED = ["placed", "fulfilled", "delivered"] as const;

export const TABS = {
  ship: {
    text: "Ready to ship",
    query: { status: ["placed"], paymentStatus: ["paid", "partially_refunded"] },
    count: "readyToShip",
  },
  fulfill: {
    text: "To fulfill",
    query: { status: ["placed"], paymentStatus: ["unpaid", "failed", "paid", "partially_refunded"] },
    count: "toFulfill",
  },
  unpaid: {
    text: "Unpaid",
    query: { status: NOT_CANCELLED, paymentStatus: ["unpaid"] },
    count: "unpaid",
  },
  failed: {
    text: "Failed payment",
    query: { status: NOT_CANCELLED, paymentStatus: ["failed"] },
    count: "paymentFailed",
  },
  deliver: { text: "On the way", query: { status: ["fulfilled"] }, count: "toDeliver" },
  done: {
    text: "Done",
    query: { status: ["delivered"], paymentStatus: ["paid", "partially_refunded", "refunded"] },
  },
} as const satisfies Record<string, TabOfOrders>;

export type Tab = keyof typeof TABS;
