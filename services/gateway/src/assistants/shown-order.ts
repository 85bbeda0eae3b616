// An order as the tools show it: concise, or in full; and its history. Pure.
import { type Principal, roles } from "@tradepost/http";
import type { ToolContext } from "./tool.ts";
import { plain, shownId, untrusted, untrustedIfAny } from "./untrusted-text.ts";

interface Shipment {
  readonly id: string;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
  readonly trackingNumber?: string;
  readonly carrier?: string;
  readonly shippedAt: string;
  readonly deliveredAt?: string;
}

export interface ApiOrder {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly paymentStatus: string;
  readonly currency: string;
  readonly total: number;
  readonly paidTotal: number;
  readonly refundedTotal: number;
  readonly payableTotal?: number;
  readonly amountDue: number;
  readonly allowedActions: readonly string[];
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly shipments?: readonly Shipment[];
  readonly [field: string]: unknown;
}

const TOOLS_OF_ACTIONS: Readonly<Record<string, string>> = {
  payments: "record_payment",
  fulfill: "fulfill_order",
  deliver: "deliver_order",
  cancel: "cancel_order",
  cancel_and_refund: "cancel_order with refund",
  refund: "refund_order",
};

export function toolsForActions(actions: unknown): string[] {
  return Array.isArray(actions) ? actions.map((action) => TOOLS_OF_ACTIONS[action] ?? plain(action)) : [];
}

export function conciseOrder(order: ApiOrder) {
  return {
    id: order.id,
    order_number: shownId(order.orderNumber),
    status: order.status,
    payment_status: order.paymentStatus,
    fulfillment: order.fulfillment,
    customer_id: order.customerId,
    channel: order.channel,
    currency: order.currency,
    total: order.total,
    payable_total: order.payableTotal,
    amount_due: order.amountDue,
    paid_total: order.paidTotal,
    refunded_total: order.refundedTotal,
    item_count: order.items.length,
    allowed_actions: toolsForActions(order.allowedActions),
    created_at: order.createdAt,
    placed_at: order.placedAt,
    version: order.version,
  };
}

/** An order may have 500 lines; `itemsMax` are shown. */
export function fullOrder(order: ApiOrder, { principal }: Pick<ToolContext, "principal">, itemsMax: number) {
  return {
    ...conciseOrder(order),
    subtotal: order.subtotal,
    shipping_total: order.shippingTotal,
    discount_total: order.discountTotal,
    tax_total: order.taxTotal,
    tax_summary: shownTaxes(order.taxSummary),
    ...shownItems(order, itemsMax, { hasDescriptions: true }),
    external_id: shownId(order.externalId),
    property_id: shownId(order.propertyId),
    tracking_number: shownId(order.trackingNumber),
    carrier: shownId(order.carrier),
    cancel_reason: untrustedIfAny(order.cancelReason, 500),
    customer_note: untrustedIfAny(order.customerNote, 1_000),
    ...(mayReadInternalNotes(principal) && { internal_note: untrustedIfAny(order.internalNote, 1_000) }),
    shipping_address: untrustedIfAny(order.shippingAddress, 500),
    billing_address: untrustedIfAny(order.billingAddress, 500),
    metadata: untrustedIfAny(order.metadata, 1_000),
    updated_at: order.updatedAt,
  };
}

function shownTaxes(taxes: unknown) {
  if (!Array.isArray(taxes)) return undefined;
  return taxes.map(({ name, rate, amount }) => ({ name: untrusted(name, 120), rate, amount }));
}

/** A model may repeat the note, so tools show it only to callers who may write notes; over HTTP every reader sees it. */
function mayReadInternalNotes({ actor, scopes, role }: Principal): boolean {
  return actor.type === "api_key"
    ? scopes.includes("write:crm")
    : roles.indexOf(role) >= roles.indexOf("editor");
}

export function shownItems(order: ApiOrder, itemsMax: number, { hasDescriptions = false } = {}) {
  const omitted = order.items.length - itemsMax;
  return {
    items: order.items.slice(0, itemsMax).map((item) => ({
      line_id: item.id,
      sku: shownId(item.sku),
      name: untrusted(item.name, 120),
      quantity: item.quantity,
      fulfilled_quantity: item.fulfilledQuantity,
      refunded_quantity: item.refundedQuantity,
      unit_price: item.unitPrice,
      subtotal: item.subtotal,
      ...(hasDescriptions && { description: untrustedIfAny(item.description, 200) }),
    })),
    ...(omitted > 0 && { items_omitted: omitted }),
    ...(order.shipments && { shipments: order.shipments.map(shownShipment) }),
  };
}

const SHIPMENT_LINES_MAX = 20;

function shownShipment({ id, lines, trackingNumber, carrier, shippedAt, deliveredAt }: Shipment) {
  const omitted = lines.length - SHIPMENT_LINES_MAX;
  return {
    shipment_id: id,
    lines: lines.slice(0, SHIPMENT_LINES_MAX).map(({ lineId, quantity }) => ({ line_id: lineId, quantity })),
    ...(omitted > 0 && { lines_omitted: omitted }),
    tracking_number: shownId(trackingNumber),
    carrier: shownId(carrier),
    shipped_at: shippedAt,
    delivered_at: deliveredAt,
  };
}

export const orderSchema = {
  type: "object",
  properties: {
    id: { type: "string" },
    status: { type: "string" },
    payment_status: { type: "string" },
    allowed_actions: { type: "array" },
  },
  required: ["id", "status", "payment_status"],
} as const;

export interface Entry {
  readonly type: string;
  readonly createdAt: string;
  readonly version: number;
  readonly status: string;
  readonly paymentStatus: string;
  readonly actor: { readonly type: string; readonly name: string } | null;
  readonly requestId: string | null;
  readonly [details: string]: unknown;
}

export interface Payment {
  readonly kind: string;
  readonly status: string;
  readonly amount: number;
  readonly reference: string | null;
  readonly reason: string | null;
  readonly createdAt: string;
}

const REASON_CHARACTERS_MAX = 300;

/** Names of keys and staff are not marked: administrators chose them. */
export function shownEntry(entry: Entry) {
  const { actor, payment, refund, changed } = entry;
  return {
    at: entry.createdAt,
    type: entry.type,
    actor: actor === null ? null : { type: actor.type, name: plain(actor.name, 100) },
    status: entry.status,
    payment_status: entry.paymentStatus,
    version: entry.version,
    payment: shownAmount(payment),
    refund: shownAmount(refund),
    part: entry.part,
    shipment_id: entry.shipmentId,
    tracking_number: shownId(entry.trackingNumber),
    carrier: shownId(entry.carrier),
    reason: untrustedIfAny(entry.reason, REASON_CHARACTERS_MAX),
    changed,
    request_id: shownId(entry.requestId),
  };
}

export function shownPayment({ kind, status, amount, reference, reason, createdAt }: Payment) {
  return { kind, status, at: createdAt, ...shownAmount({ amount, reference, reason }) };
}

function shownAmount(paid: unknown) {
  if (typeof paid !== "object" || paid === null) return undefined;
  const { amount, status, reference, reason } = paid as Record<string, unknown>;
  return {
    amount,
    status,
    reference: shownId(reference),
    reason: untrustedIfAny(reason, REASON_CHARACTERS_MAX),
  };
}
