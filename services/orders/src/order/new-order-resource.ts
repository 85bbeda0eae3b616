import { derivedFields } from "./lifecycle.ts";
import { numberOf } from "./money.ts";
import { lineId } from "./order-resource.ts";
import type { PricedLine, PricedOrder } from "./price-order.ts";
import { shownSummary } from "./tax-summary.ts";

/** Leaves out the internal note, and the number and times, which the database decides. */
export function newOrderResource(id: string, priced: PricedOrder) {
  const { input } = priced;
  const state = {
    status: "placed" as const,
    paymentStatus: "unpaid" as const,
    currency: input.currency,
    total: numberOf(priced.total),
    paidTotal: 0,
    refundedTotal: 0,
    shipments: [],
  };
  return {
    ...state,
    customerId: input.customerId.toLowerCase(),
    channel: input.channel,
    subtotal: numberOf(priced.subtotal),
    shippingTotal: numberOf(priced.shippingTotal),
    discountTotal: numberOf(priced.discountTotal),
    taxTotal: numberOf(priced.taxTotal),
    ...derivedFields(state),
    taxSummary: shownSummary(priced.taxSummary),
    items: priced.lines.map((line, index) => newLineResource(line, lineId(id, index + 1))),
    externalId: input.externalId,
    propertyId: input.propertyId,
    shippingAddress: input.shippingAddress,
    billingAddress: input.billingAddress,
    customerNote: input.customerNote,
    metadata: input.metadata,
    version: 1,
  };
}

function newLineResource(line: PricedLine, id: string) {
  const { sku, name, quantity, taxLines, productId, variantId, description } = line.input;
  return {
    id,
    sku,
    name,
    quantity,
    unitPrice: numberOf(line.unitPrice),
    subtotal: numberOf(line.subtotal),
    taxAmount: numberOf(line.taxAmount),
    fulfilledQuantity: 0,
    refundedQuantity: 0,
    taxLines: taxLines?.length === 0 ? undefined : taxLines,
    productId: productId?.toLowerCase(),
    variantId: variantId?.toLowerCase(),
    description,
  };
}
