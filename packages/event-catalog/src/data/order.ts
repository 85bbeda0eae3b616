// The order as events carry it: as the API shows it, but never with the internal note.
import { z } from "zod";

const address = z.looseObject({ line1: z.string(), city: z.string() });

const orderLine = z.strictObject({
  sku: z.string(),
  name: z.string(),
  quantity: z.int().positive(),
  unitPrice: z.number(),
  subtotal: z.number(),
  taxAmount: z.number(),
  productId: z.uuid().optional(),
  variantId: z.uuid().optional(),
  description: z.string().optional(),
});

export const orderData = z.strictObject({
  order: z.strictObject({
    id: z.uuid(),
    orderNumber: z.string(),
    status: z.enum(["placed", "fulfilled", "delivered", "cancelled"]),
    paymentStatus: z.enum(["unpaid", "failed", "paid", "partially_refunded", "refunded"]),
    customerId: z.string(),
    channel: z.enum(["storefront", "b2b_portal", "admin", "import", "mcp"]),
    currency: z.string().length(3),
    subtotal: z.number(),
    shippingTotal: z.number(),
    discountTotal: z.number(),
    taxTotal: z.number(),
    total: z.number(),
    paidTotal: z.number(),
    refundedTotal: z.number(),
    items: z.array(orderLine).min(1),
    propertyId: z.string().optional(),
    shippingAddress: address.optional(),
    billingAddress: address.optional(),
    customerNote: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    version: z.int(),
    createdAt: z.iso.datetime(),
  }),
});

export const orderExample = {
  order: {
    id: "0198c5a2-7e1b-7c3d-9a4f-5b6c7d8e9f00",
    orderNumber: "1001",
    status: "placed",
    paymentStatus: "unpaid",
    customerId: "0198c5a0-1111-7222-8333-444455556666",
    channel: "storefront",
    currency: "USD",
    subtotal: 59.97,
    shippingTotal: 4.5,
    discountTotal: 0,
    taxTotal: 6,
    total: 70.47,
    paidTotal: 0,
    refundedTotal: 0,
    items: [{ sku: "MUG-1", name: "Mug", quantity: 3, unitPrice: 19.99, subtotal: 59.97, taxAmount: 6 }],
    shippingAddress: { line1: "1 Harbour Street", city: "Lisbon" },
    version: 1,
    createdAt: "2026-08-20T09:30:00.000Z",
  },
};
