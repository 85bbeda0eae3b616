// An order as the tools show it: concise, or in full; and its history. Pure.
import { type Principal, roles } from "@tradepost/http";
import * as schema from "./output-schema.ts";
import { fieldsOf } from "./service-calls.ts";
import type { ToolContext } from "./tool.ts";
import { plain, shownId, untrusted, untrustedIfAny } from "./untrusted-text.ts";

interface Shipment {
  readonly id: string;
  readonly lines: readonly { readonly lineId: string; readonly quantity: number }[];
  readonly [field: string]: unknown;
}

export interface ApiOrder {
  readonly id: string;
  readonly version: number;
  readonly status: string;
  readonly paymentStatus: string;
  readonly paidTotal: number;
  readonly refundedTotal: number;
  readonly payableTotal: number;
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
    ...fieldsOf(order, "id", "status", "paymentStatus", "fulfillment", "customerId", "channel", "currency"),
    order_number: shownId(order.orderNumber),
    ...fieldsOf(order, "total", "payableTotal", "amountDue", "paidTotal", "refundedTotal"),
    item_count: order.items.length,
    allowed_actions: toolsForActions(order.allowedActions),
    ...fieldsOf(order, "createdAt", "placedAt", "version"),
  };
}

/** An order may have 500 lines; `itemsMax` are shown. */
export function fullOrder(order: ApiOrder, { principal }: Pick<ToolContext, "principal">, itemsMax: number) {
  return {
    ...conciseOrder(order),
    ...fieldsOf(order, "subtotal", "shippingTotal", "discountTotal", "taxTotal", "updatedAt"),
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
      ...fieldsOf(item, "quantity", "fulfilledQuantity", "refundedQuantity", "unitPrice", "subtotal"),
      ...(hasDescriptions && { description: untrustedIfAny(item.description, 200) }),
    })),
    ...(omitted > 0 && { items_omitted: omitted }),
    ...(order.shipments && { shipments: order.shipments.map(shownShipment) }),
  };
}

const SHIPMENT_LINES_MAX = 20;

function shownShipment({ id, lines, ...shipment }: Shipment) {
  const omitted = lines.length - SHIPMENT_LINES_MAX;
  return {
    shipment_id: id,
    lines: lines.slice(0, SHIPMENT_LINES_MAX).map((line) => fieldsOf(line, "lineId", "quantity")),
    ...(omitted > 0 && { lines_omitted: omitted }),
    tracking_number: shownId(shipment.trackingNumber),
    carrier: shownId(shipment.carrier),
    ...fieldsOf(shipment, "shippedAt", "deliveredAt"),
  };
}

export const orderSchema = schema.object(
  { id: schema.text, status: schema.text, payment_status: schema.text, allowed_actions: { type: "array" } },
  ["id", "status", "payment_status"],
);

export interface Entry {
  readonly actor: { readonly type: string; readonly name: string } | null;
  readonly [details: string]: unknown;
}

const REASON_CHARACTERS_MAX = 300;

/** Names of keys and staff are not marked: administrators chose them. */
export function shownEntry(entry: Entry) {
  const { actor } = entry;
  return {
    at: entry.createdAt,
    ...fieldsOf(entry, "type", "status", "paymentStatus", "version", "part", "shipmentId", "changed"),
    actor: actor === null ? null : { type: actor.type, name: plain(actor.name, 100) },
    payment: shownAmount(entry.payment),
    refund: shownAmount(entry.refund),
    tracking_number: shownId(entry.trackingNumber),
    carrier: shownId(entry.carrier),
    reason: untrustedIfAny(entry.reason, REASON_CHARACTERS_MAX),
    request_id: shownId(entry.requestId),
  };
}

export function shownPayment(payment: Readonly<Record<string, unknown>>) {
  return { kind: payment.kind, at: payment.createdAt, ...shownAmount(payment) };
}

function shownAmount(paid: unknown) {
  if (typeof paid !== "object" || paid === null) return undefined;
  const { reference, reason, ...amount } = paid as Record<string, unknown>;
  return {
    ...fieldsOf(amount, "amount", "status"),
    reference: shownId(reference),
    reason: untrustedIfAny(reason, REASON_CHARACTERS_MAX),
  };
}
