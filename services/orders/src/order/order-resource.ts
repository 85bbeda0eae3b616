// The order as the API shows it, and as events contain it: the same, without the internal note. Pure.
import { type ApiResponse, created, etagOf } from "@tradepost/http";
import { numberOf } from "./money.ts";
import type { PricedLine, PricedOrder } from "./price-order.ts";

export type OrderStatus = "placed" | "fulfilled" | "delivered" | "cancelled";
export type PaymentStatus = "unpaid" | "failed" | "paid" | "partially_refunded" | "refunded";

/** JSON leaves the undefined fields out. Amounts are in currency units. */
export interface Order {
  readonly id: string;
  readonly orderNumber: string;
  readonly createdAt: Date;
  readonly status: OrderStatus;
  readonly paymentStatus: PaymentStatus;
  readonly customerId: string;
  readonly channel: string;
  readonly currency: string;
  readonly subtotal: number;
  readonly shippingTotal: number;
  readonly discountTotal: number;
  readonly taxTotal: number;
  readonly total: number;
  readonly paidTotal: number;
  readonly refundedTotal: number;
  readonly items: readonly object[];
  readonly propertyId?: string | undefined;
  readonly shippingAddress?: unknown;
  readonly billingAddress?: unknown;
  readonly customerNote?: string | undefined;
  readonly metadata?: unknown;
  readonly trackingNumber?: string | undefined;
  readonly carrier?: string | undefined;
  readonly cancelReason?: string | undefined;
  readonly version: number;
  readonly internalNote?: string | undefined;
}

/** 201 with the new order. */
export function placedResponse(order: { readonly id: string }): ApiResponse {
  return created(order, `/v1/orders/${order.id}`, { etag: etagOf(1) });
}

/** The order without its internal note, which no event may contain (interface §6). */
export function shownInEvents(order: Order): Omit<Order, "internalNote"> {
  const { internalNote: _, ...shown } = order;
  return shown;
}

/** A new order without its id, its internal note, and the number and time, which the database decides. */
export function newOrderResource(priced: PricedOrder) {
  const { input } = priced;
  return {
    status: "placed" as const,
    paymentStatus: "unpaid" as const,
    customerId: input.customerId.toLowerCase(),
    channel: input.channel,
    currency: input.currency,
    subtotal: numberOf(priced.subtotal),
    shippingTotal: numberOf(priced.shippingTotal),
    discountTotal: numberOf(priced.discountTotal),
    taxTotal: numberOf(priced.taxTotal),
    total: numberOf(priced.total),
    paidTotal: 0,
    refundedTotal: 0,
    items: priced.lines.map(newLineResource),
    propertyId: input.propertyId,
    shippingAddress: input.shippingAddress,
    billingAddress: input.billingAddress,
    customerNote: input.customerNote,
    metadata: input.metadata,
    version: 1,
  };
}

function newLineResource(line: PricedLine) {
  const { sku, name, quantity, productId, variantId, description } = line.input;
  return {
    sku,
    name,
    quantity,
    unitPrice: numberOf(line.unitPrice),
    subtotal: numberOf(line.subtotal),
    taxAmount: numberOf(line.taxAmount),
    productId: productId?.toLowerCase(),
    variantId: variantId?.toLowerCase(),
    description,
  };
}
