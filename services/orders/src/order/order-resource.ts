// The order as the API shows it, and as its events carry it: the same, but never with the internal note. Pure.
import { numberOf } from "./money.ts";
import type { PricedLine, PricedOrder } from "./order.ts";

/** The new order but for what the database decides: its number and its time. Absent optional values are left out. */
export function newOrderResource(id: string, priced: PricedOrder) {
  const { input } = priced;
  return {
    id,
    status: "placed",
    paymentStatus: "unpaid",
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
    internalNote: input.internalNote,
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
