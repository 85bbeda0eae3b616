// The order as the API shows it, and without the internal note in events. Pure.
import { type ApiResponse, created, etagOf, ok } from "@tradepost/http";
import type { VerbatimJson } from "@tradepost/json";
import type { ActionName } from "./action-input.ts";
import type { OrderInput } from "./order-input.ts";
import type { TaxLine } from "./tax-summary.ts";

export type OrderStatus = "placed" | "fulfilled" | "delivered" | "cancelled";
export type PaymentStatus =
  | "unpaid"
  | "failed"
  | "partially_paid"
  | "paid"
  | "partially_refunded"
  | "refunded";

export interface OrderLine {
  readonly id: string;
  readonly sku: string;
  readonly name: string;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly subtotal: number;
  readonly taxAmount: number;
  readonly fulfilledQuantity: number;
  readonly refundedQuantity: number;
  readonly taxLines?: readonly TaxLine[] | undefined;
  readonly productId?: string | undefined;
  readonly variantId?: string | undefined;
  readonly description?: string | undefined;
}

export interface LineQuantity {
  readonly lineId: string;
  readonly quantity: number;
}

export interface Shipment {
  readonly id: string;
  readonly lines: readonly LineQuantity[];
  readonly trackingNumber?: string | undefined;
  readonly carrier?: string | undefined;
  readonly shippedAt: Date | string;
  readonly deliveredAt?: Date | string | undefined;
}

/** Amounts are in currency units. */
export interface Order {
  readonly id: string;
  readonly orderNumber: string;
  readonly createdAt: Date;
  readonly placedAt: Date;
  readonly updatedAt: Date;
  readonly status: OrderStatus;
  readonly paymentStatus: PaymentStatus;
  readonly customerId: string;
  readonly channel: OrderInput["channel"];
  readonly currency: string;
  readonly subtotal: number;
  readonly shippingTotal: number;
  readonly discountTotal: number;
  readonly taxTotal: number;
  readonly total: number;
  readonly paidTotal: number;
  readonly refundedTotal: number;
  /** The total, rounded half up to the minor unit. */
  readonly payableTotal: number;
  /** What is left of `payableTotal`; 0 if the order takes no payment. */
  readonly amountDue: number;
  readonly fulfillment: "none" | "part" | "all";
  readonly allowedActions: readonly (ActionName | "cancel_and_refund")[];
  /** By name and rate; undefined without taxes. */
  readonly taxSummary?: readonly TaxLine[] | undefined;
  readonly items: readonly OrderLine[];
  readonly shipments: readonly Shipment[];
  readonly externalId?: string | undefined;
  readonly propertyId?: string | undefined;
  readonly shippingAddress?: VerbatimJson | undefined;
  readonly billingAddress?: VerbatimJson | undefined;
  readonly customerNote?: string | undefined;
  readonly metadata?: VerbatimJson | undefined;
  readonly trackingNumber?: string | undefined;
  readonly carrier?: string | undefined;
  readonly cancelReason?: string | undefined;
  readonly version: number;
  readonly internalNote?: string | undefined;
}

export function orderResponse(order: { readonly version: number; readonly updatedAt: unknown }): ApiResponse {
  return ok(order, { etag: etagOf(order.version) });
}

export function placedResponse({
  id,
  json,
}: {
  readonly id: string;
  readonly json: VerbatimJson;
}): ApiResponse {
  return created(json, `/v1/orders/${id}`, { etag: etagOf(1) });
}

/** Leaves out the internal note, which no event may contain (interface §6). */
export function shownInEvents<Shown extends { internalNote?: string | undefined }>(
  order: Shown,
): Omit<Shown, "internalNote"> {
  const { internalNote: _, ...shown } = order;
  return shown;
}

/** A UUID of no other line or order, from the order's id and the line's position, from 1, with at most 16 bits. */
export function lineId(orderId: string, position: number): string {
  const digits = 4;
  // The last bits of an order's id are random, so two lines get the same id only if all other bits of their orders' ids are
  // equal.
  const last = Number.parseInt(orderId.slice(-digits), 16) ^ position;
  return orderId.slice(0, -digits) + last.toString(16).padStart(digits, "0");
}
