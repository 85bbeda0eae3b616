// The order in events, as in the API but without the internal note. Some events also contain the payment or the refund.
import { z } from "zod";

const address = z
  .looseObject({ line1: z.string(), city: z.string() })
  .meta({ id: "Address", description: "A postal address; other fields are kept as they were sent." });

const amount = z.number();

const taxLine = z
  .strictObject({
    name: z.string(),
    rate: z.number().describe("In percent, with at most 4 decimals."),
    amount,
  })
  .meta({ id: "TaxLine", description: "A tax on a line, or its sum over the lines of an order." });

// Events and responses that version 1.0.0 recorded lack the fields about parts.
const units = z.int().min(0).optional();

const orderLine = z
  .strictObject({
    id: z.uuid().describe("Never changes."),
    sku: z.string(),
    name: z.string(),
    quantity: z.int().positive(),
    unitPrice: amount.describe("Before tax, with at most 4 decimals."),
    subtotal: amount.describe("`quantity` × `unitPrice`, not rounded."),
    taxAmount: amount.describe("The tax on the whole line."),
    fulfilledQuantity: units.describe("The units in shipments."),
    refundedQuantity: units.describe("The units that refunds name."),
    taxLines: z
      .array(taxLine)
      .optional()
      .describe("The taxes that `taxAmount` consists of, if the caller named them."),
    productId: z.uuid().optional(),
    variantId: z.uuid().optional(),
    description: z.string().optional(),
  })
  .meta({ id: "OrderLine", description: "A line of an order." });

const lineQuantity = z
  .strictObject({ lineId: z.uuid(), quantity: z.int().positive() })
  .meta({ id: "UnitsOfLine", description: "Some units of a line of an order." });

export const shipment = z
  .strictObject({
    id: z.uuid(),
    lines: z.array(lineQuantity).min(1),
    trackingNumber: z.string().optional(),
    carrier: z.string().optional(),
    shippedAt: z.iso.datetime(),
    deliveredAt: z.iso.datetime().optional().describe("Left out until it is delivered."),
  })
  .meta({ id: "Shipment", description: "A part of an order that was shipped." });

export const order = z
  .strictObject({
    id: z.uuid(),
    orderNumber: z.string().describe("Unique in the tenant; from `1001` unless the caller supplied it."),
    status: z.enum(["placed", "fulfilled", "delivered", "cancelled"]),
    paymentStatus: z.enum(["unpaid", "failed", "partially_paid", "paid", "partially_refunded", "refunded"]),
    fulfillment: z
      .enum(["none", "part", "all"])
      .optional()
      .describe("How much is shipped. The order is `placed` until that is all."),
    customerId: z.uuid(),
    channel: z.enum(["storefront", "b2b_portal", "admin", "import", "mcp"]),
    currency: z.string().length(3).describe("The ISO 4217 code."),
    subtotal: amount.describe("The sum of the lines."),
    shippingTotal: amount,
    discountTotal: amount,
    taxTotal: amount.describe("The sum of the lines' `taxAmount` unless the caller supplied it."),
    total: amount.describe("`subtotal` + `shippingTotal` + `taxTotal` − `discountTotal`, not rounded."),
    paidTotal: amount,
    refundedTotal: amount,
    payableTotal: amount.describe(
      "`total`, rounded half up to the smallest unit of the currency: what is to be paid.",
    ),
    amountDue: amount.describe("What is left of `payableTotal`; 0 once paid, refunded in part or cancelled."),
    allowedActions: z
      .array(z.enum(["payments", "fulfill", "deliver", "cancel", "cancel_and_refund", "refund"]))
      .describe("The last parts of their paths; `cancel_and_refund` is `cancel` with `refund`."),
    taxSummary: z
      .array(taxLine)
      .optional()
      .describe("The `taxLines` of all lines, summed by name and rate; left out if there are none."),
    items: z.array(orderLine).min(1),
    shipments: z.array(shipment).optional().describe("The latest one is last."),
    externalId: z.string().optional().describe("The channel's own id of the order."),
    propertyId: z.string().optional().describe("The site that it was placed on."),
    shippingAddress: address.optional(),
    billingAddress: address.optional(),
    customerNote: z.string().optional(),
    metadata: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("As it was sent; the platform does not interpret it."),
    trackingNumber: z.string().optional().describe("Of the latest shipment."),
    carrier: z.string().optional().describe("Of the latest shipment."),
    cancelReason: z.string().optional(),
    version: z.int().describe("Grows with each change."),
    createdAt: z.iso.datetime(),
    placedAt: z.iso
      .datetime()
      .optional()
      .describe(
        "When the customer placed it: `createdAt` unless the caller said so. Responses and events that version 1.0.0 recorded do not have it.",
      ),
    updatedAt: z.iso.datetime().describe("The time of the latest change."),
  })
  .meta({
    id: "OrderInEvents",
    description: "An order after a change, without its internal note. Amounts are in units of the currency.",
  });

const schema = z.strictObject({ order });

const payment = z.strictObject({
  id: z.uuid(),
  status: z.enum(["succeeded", "failed"]),
  amount: z.number(),
  reference: z.string().optional(),
});

const paymentSchema = z.strictObject({ order, payment });

/** Recording a partial payment also updates an order. */
const updatedSchema = z.strictObject({ order, payment: payment.optional() });

const refund = z.strictObject({
  id: z.uuid(),
  amount: z.number(),
  lines: z.array(lineQuantity).optional().describe("The units that it is for, if it names any."),
  reason: z.string().optional(),
  reference: z.string().optional(),
});

const placed = {
  id: "0198c5a2-7e1b-7c3d-9a4f-5b6c7d8e9f00",
  orderNumber: "1001",
  createdAt: "2026-08-20T09:30:00.000Z",
  placedAt: "2026-08-20T09:30:00.000Z",
  updatedAt: "2026-08-20T09:30:00.000Z",
  status: "placed",
  paymentStatus: "unpaid",
  fulfillment: "none",
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
  payableTotal: 70.47,
  amountDue: 70.47,
  allowedActions: ["payments", "fulfill", "cancel"],
  items: [
    {
      id: "0198c5a2-7e1b-7c3d-9a4f-5b6c7d8e9f01",
      sku: "MUG-1",
      name: "Mug",
      quantity: 3,
      unitPrice: 19.99,
      subtotal: 59.97,
      taxAmount: 6,
      fulfilledQuantity: 0,
      refundedQuantity: 0,
    },
  ],
  shipments: [],
  externalId: "5012",
  shippingAddress: { line1: "1 Harbour Street", city: "Lisbon" },
  version: 1,
};

const paid = {
  ...placed,
  updatedAt: "2026-08-20T09:31:12.345Z",
  paymentStatus: "paid",
  paidTotal: 70.47,
  amountDue: 0,
  allowedActions: ["fulfill", "cancel_and_refund", "refund"],
  version: 2,
};
const [line] = placed.items;
const shipment1 = {
  id: "0198c5a4-1c2d-7e3f-8a40-515253545556",
  lines: [{ lineId: line?.id, quantity: 3 }],
  trackingNumber: "1Z999",
  carrier: "UPS",
  shippedAt: "2026-08-21T14:00:00.000Z",
};
const shipped = {
  ...paid,
  updatedAt: shipment1.shippedAt,
  status: "fulfilled",
  fulfillment: "all",
  items: [{ ...line, fulfilledQuantity: 3 }],
  shipments: [shipment1],
  allowedActions: ["deliver", "refund"],
  trackingNumber: "1Z999",
  carrier: "UPS",
  version: 3,
};

const delivered = {
  ...shipped,
  updatedAt: "2026-08-23T08:15:00.000Z",
  status: "delivered",
  shipments: [{ ...shipment1, deliveredAt: "2026-08-23T08:15:00.000Z" }],
  allowedActions: ["refund"],
  version: 4,
};
const cancelled = {
  ...placed,
  updatedAt: "2026-08-20T11:00:00.000Z",
  status: "cancelled",
  amountDue: 0,
  allowedActions: [],
  cancelReason: "out of stock",
  version: 2,
};
const updated = {
  ...placed,
  updatedAt: "2026-08-20T09:45:00.000Z",
  shippingAddress: { line1: "2 Harbour Street", city: "Lisbon" },
  version: 2,
};
const failed = { ...placed, updatedAt: paid.updatedAt, paymentStatus: "failed", version: 2 };
const failedPayment = { id: "0198c5a3-0b1c-7d2e-8f30-414243444546", status: "failed", amount: 70.47 };
const refunded = {
  ...paid,
  updatedAt: "2026-08-25T16:20:00.000Z",
  paymentStatus: "partially_refunded",
  refundedTotal: 21.99,
  items: [{ ...line, refundedQuantity: 1 }],
  version: 3,
};
const refund1 = {
  id: "0198c5a4-5d6e-7f80-9192-a3a4a5a6a7a8",
  amount: 21.99,
  lines: [{ lineId: line?.id, quantity: 1 }],
  reason: "one mug was broken",
  reference: "re_1",
};

export const orderEvents = {
  "order.placed": { schema, example: { order: placed } },
  "order.paid": {
    schema: paymentSchema,
    example: { order: paid, payment: { ...failedPayment, status: "succeeded", reference: "ch_1" } },
  },
  "order.payment_failed": { schema: paymentSchema, example: { order: failed, payment: failedPayment } },
  "order.fulfilled": { schema, example: { order: shipped } },
  "order.delivered": { schema, example: { order: delivered } },
  "order.cancelled": { schema, example: { order: cancelled } },
  "order.refunded": {
    schema: z.strictObject({ order, refund }),
    example: { order: refunded, refund: refund1 },
  },
  "order.updated": { schema: updatedSchema, example: { order: updated } },
};
