// Orders in the API description (interface §4). Pure.
import { actor, eventTypesOf, orderInEvents, shipment } from "@tradepost/event-catalog";
import { z } from "zod";

export const order = orderInEvents
  .extend({ internalNote: z.string().optional().describe("For the staff only; never in an event") })
  .meta({
    id: "Order",
    description: "Amounts are in units of the currency. A field without a value is left out.",
  });

const { status, paymentStatus, allowedActions } = orderInEvents.shape;
const { lines } = shipment.shape;

const orderState = z
  .strictObject({ status, paymentStatus, allowedActions })
  .meta({ id: "OrderState", description: "The state of the order that refused the request." });

// Named, because generators name anonymous types after the fields that lead to them: `payment.status` would collide with
// `paymentStatus`.
const payment = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(["succeeded", "failed"]),
    amount: z.number(),
    reference: z.string().optional(),
  })
  .meta({ id: "TimelinePayment", description: "A payment of an order." });
const refund = z
  .strictObject({
    id: z.uuid(),
    amount: z.number(),
    lines: lines.optional(),
    reason: z.string().optional(),
    reference: z.string().optional(),
  })
  .meta({ id: "TimelineRefund", description: "A refund of an order." });

export const timelineEntry = z
  .strictObject({
    eventId: z.uuid().nullable().describe("The event's id in the change feed; null for old orders"),
    type: z
      .enum(eventTypesOf("order"))
      .describe("`order.updated` is a change by PATCH, or a part paid, shipped or delivered"),
    createdAt: z.iso.datetime(),
    version: z.int().describe("The order's version after the change"),
    status,
    paymentStatus,
    actor: actor
      .nullable()
      .describe("Who made the change; null for orders placed before the platform stored it"),
    requestId: z.string().nullable().describe("The `X-Request-Id` of the request; null like `actor`"),
    payment: payment.optional(),
    refund: refund.optional(),
    part: z
      .enum(["paid", "shipped", "delivered"])
      .optional()
      .describe("What happened to a part of the order, if an `order.updated` is no change by PATCH"),
    shipmentId: z.uuid().optional().describe("The shipment that was made or changed"),
    trackingNumber: z.string().nullable().optional(),
    carrier: z.string().nullable().optional(),
    reason: z.string().optional().describe("Why the order was cancelled"),
    changed: z.array(z.string()).optional().describe("The names of the fields that a PATCH changed"),
  })
  .meta({ id: "TimelineEntry", description: "A change of an order." });

export const paymentOrRefund = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(["payment", "refund"]),
    status: z.enum(["succeeded", "failed"]).describe("A refund is recorded when it has succeeded"),
    amount: z.number().describe("In units of the order's currency"),
    reference: z.string().nullable(),
    reason: z.string().nullable().describe("Of a refund"),
    lines: lines.optional().describe("The units that a refund is for, if it names any"),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Payment", description: "A payment or a refund of an order." });

export function refusal<Code extends string>(code: Code) {
  return { code, fields: { state: orderState } };
}
