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
  /** The customer's e-mail address or id. */
  readonly customer?: string;
  /** The first day of the period. */
  readonly from?: string;
  /** The last day of the period, which is included. */
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

/** Days are in the browser's zone, and the last one is included. `customerId` is the customer, who was looked up before. */
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

/** Returns a day such as `2026-11-23`; undefined if the value is not a day. */
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
