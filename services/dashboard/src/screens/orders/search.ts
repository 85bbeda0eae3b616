// The filters and tabs of the orders, and the customer of a new one, which are in the address. Pure.
import type { DataOf, QueryOf } from "@tradepost/client/operations";
import { CHANNELS, ORDER_STATUSES, PAYMENT_STATUSES } from "../../format/order-words.ts";
import { dayIn, given, isUuid, nameIn, searchOf, textOf } from "../../format/search-values.ts";
import { startOfDay } from "../../format/time.ts";

export type OrdersSearch = ReturnType<typeof ordersSearch>;

/** A tab says which statuses and payments are shown, in place of the two filters. `to` is a day that is included. */
export function ordersSearch(search: Record<string, unknown>) {
  const tab = nameIn(TABS, search.tab);
  return given({
    tab,
    search: textOf(search.search),
    status: tab === undefined ? nameIn(ORDER_STATUSES, search.status) : undefined,
    payment: tab === undefined ? nameIn(PAYMENT_STATUSES, search.payment) : undefined,
    channel: nameIn(CHANNELS, search.channel),
    externalId: textOf(search.externalId),
    sku: textOf(search.sku),
    from: dayIn(search.from),
    to: dayIn(search.to),
  });
}

export function placeOrderSearch({ customerId }: Record<string, unknown>) {
  return given({ customerId: isUuid(customerId) ? customerId : undefined });
}

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

type Open = DataOf<"getOrderStatistics">["open"];

interface TabOfOrders {
  readonly text: string;
  readonly query: Pick<QueryOf<"listOrders">, "status" | "paymentStatus">;
  /** The field of `open` with the number of orders that `query` finds. */
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
} as const satisfies Record<string, TabOfOrders>;

export type Tab = keyof typeof TABS;
