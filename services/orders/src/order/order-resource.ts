// The order as the API shows it, and without the internal note in events. Pure.
import { type ApiResponse, created, etagOf, ok } from "@tradepost/http";
import type { VerbatimJson } from "@tradepost/json";
import type { z } from "zod";
import type { ActionName } from "./action-input.ts";
import type { order } from "./order-schema.ts";
import type { TaxLine } from "./tax-summary.ts";

type Shown = z.output<typeof order>;
type ShownLine = Shown["items"][number];

export type OrderStatus = Shown["status"];
export type PaymentStatus = Shown["paymentStatus"];

export interface OrderLine
  extends Readonly<Omit<ShownLine, "fulfilledQuantity" | "refundedQuantity" | "taxLines">> {
  readonly fulfilledQuantity: number;
  readonly refundedQuantity: number;
  readonly taxLines?: readonly TaxLine[] | undefined;
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

type ShownElsewise =
  | "createdAt"
  | "placedAt"
  | "updatedAt"
  | "payableTotal"
  | "fulfillment"
  | "allowedActions"
  | "taxSummary"
  | "items"
  | "shipments"
  | "shippingAddress"
  | "billingAddress"
  | "metadata";

/** As the API shows it, with times and JSON as they are stored. */
export interface Order extends Readonly<Omit<Shown, ShownElsewise>> {
  readonly createdAt: Date;
  readonly placedAt: Date;
  readonly updatedAt: Date;
  /** The total, rounded half up to the minor unit. */
  readonly payableTotal: number;
  readonly fulfillment: "none" | "part" | "all";
  readonly allowedActions: readonly (ActionName | "cancel_and_refund")[];
  readonly taxSummary?: readonly TaxLine[] | undefined;
  readonly items: readonly OrderLine[];
  readonly shipments: readonly Shipment[];
  readonly shippingAddress?: VerbatimJson | undefined;
  readonly billingAddress?: VerbatimJson | undefined;
  readonly metadata?: VerbatimJson | undefined;
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

/** A UUID that no other line or order has, from the order's id and the line's position, 1 to 65,535. */
export function lineId(orderId: string, position: number): string {
  const digits = 4;
  // The last bits of an order's id are random, so two lines get the same id only if all other bits of their orders' ids are equal.
  const last = Number.parseInt(orderId.slice(-digits), 16) ^ position;
  return orderId.slice(0, -digits) + last.toString(16).padStart(digits, "0");
}
