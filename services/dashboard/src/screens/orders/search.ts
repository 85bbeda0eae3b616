// The filters of the orders and the customer of a new one, which are in the address. Pure.
import type { QueryOf } from "@tradepost/client/operations";
import { CHANNELS, ORDER_STATUSES, PAYMENT_STATUSES } from "../../format/order-words.ts";
import { given, isUuid, nameIn, textOf } from "../../format/search-values.ts";

export interface OrdersSearch {
  readonly status?: keyof typeof ORDER_STATUSES;
  readonly payment?: keyof typeof PAYMENT_STATUSES;
  readonly channel?: keyof typeof CHANNELS;
  readonly number?: string;
  readonly externalId?: string;
  /** An e-mail address or an id. */
  readonly customer?: string;
  /** The first day. */
  readonly from?: string;
  /** The last day. */
  readonly to?: string;
}

export interface PlaceOrderSearch {
  readonly customerId?: string;
}

export function ordersSearch(search: Record<string, unknown>): OrdersSearch {
  return given({
    status: nameIn(ORDER_STATUSES, search.status),
    payment: nameIn(PAYMENT_STATUSES, search.payment),
    channel: nameIn(CHANNELS, search.channel),
    number: textOf(search.number),
    externalId: textOf(search.externalId),
    customer: textOf(search.customer),
    from: dayOf(search.from),
    to: dayOf(search.to),
  });
}

export function placeOrderSearch({ customerId }: Record<string, unknown>): PlaceOrderSearch {
  return isUuid(customerId) ? { customerId } : {};
}

/** Days are those of the browser's zone, and the last one belongs to the list. The customer is looked up first. */
export function queryOf(
  { status, payment, channel, number, externalId, from, to }: OrdersSearch,
  customerId?: string,
): QueryOf<"listOrders"> {
  return given({
    status: status && [status],
    paymentStatus: payment && [payment],
    channel,
    orderNumber: number,
    externalId,
    customerId,
    createdAfter: from && startOf(from, 0),
    createdBefore: to && startOf(to, 1),
  });
}

/** `2026-11-23`; undefined for what is not a day. */
function dayOf(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  const time = new Date(`${value}T00:00:00Z`);
  const isDay = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value);
  return isDay && time.getUTCFullYear() >= 1970 ? value : undefined;
}

function startOf(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
}
