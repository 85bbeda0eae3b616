// The filters and tabs of the orders, and the customer of a new one, which are in the address. Pure.
import type { QueryOf } from "@tradepost/client/operations";
import { CHANNELS, ORDER_STATUSES, PAYMENT_STATUSES } from "../../format/order-words.ts";
import { dayIn, given, oneOf, parameters, searchOf, textOf, uuidOf } from "../../format/search-values.ts";
import { startOfDay } from "../../format/time.ts";

export type OrdersSearch = ReturnType<typeof ordersSearch>;

/** A tab says which statuses and payments are shown, in place of the two filters. `to` is a day that is included. */
export function ordersSearch(search: Record<string, unknown>) {
  const { status, payment, ...same } = typed(search);
  return given({ ...same, ...(same.tab === undefined && { status, payment }) });
}

export const placeOrderSearch = parameters({ customerId: uuidOf });

export function queryOf(filters: OrdersSearch): QueryOf<"listOrders"> {
  const { tab, search, status, payment, channel, externalId, sku, from, to } = filters;
  return {
    ...(tab !== undefined && TABS[tab].query),
    ...searchOf(search),
    ...given({
      status: status && [status],
      paymentStatus: payment && [payment],
      channel,
      externalId,
      sku,
      placedAfter: from && startOfDay(from),
      placedBefore: to && startOfDay(to, 1),
    }),
  };
}

const NOT_CANCELLED = ["placed", "fulfilled", "delivered"] as const;

/** `count` is the field of `open` in the statistics with the number of orders that `query` finds. */
export const TABS = {
  ship: {
    text: "Ready to ship",
    query: { status: ["placed"], paymentStatus: ["paid", "partially_refunded"] },
    count: "readyToShip",
  },
  fulfill: {
    text: "Not shipped",
    query: {
      status: ["placed"],
      paymentStatus: ["unpaid", "failed", "partially_paid", "paid", "partially_refunded"],
    },
    count: "toFulfill",
  },
  unpaid: {
    text: "Unpaid",
    query: { status: NOT_CANCELLED, paymentStatus: ["unpaid", "partially_paid"] },
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
} as const;

export type Tab = keyof typeof TABS;

const typed = parameters({
  tab: oneOf(TABS),
  search: textOf,
  status: oneOf(ORDER_STATUSES),
  payment: oneOf(PAYMENT_STATUSES),
  channel: oneOf(CHANNELS),
  externalId: textOf,
  sku: textOf,
  from: dayIn,
  to: dayIn,
});
