// Describes the operations on orders (interface §4). Pure.
import { feedEvents } from "@tradepost/event-catalog";
import { type About, data, feed, page } from "@tradepost/http";
import { z } from "zod";
import { orderShape } from "../../order/order-input.ts";
import { orderEventTypes } from "../list-events.ts";
import { order, orderState, paymentOrRefund, timelineEntry } from "./order-schema.ts";

const tag = "Orders";
const taken = { orderId: z.uuid().describe("The order that exists") };

export const orderAbouts = {
  place: {
    id: "placeOrder",
    tag,
    summary: "Place an order",
    description: `The order, its number and its event are written together or not at all. The platform computes the totals; amounts have at most
as many decimals as the currency, and \`unitPrice\` has at most 4. A customer that the tenant does not have is 404; the one of the
example is another shop's, so put in an id of \`/v1/customers\`.

\`externalId\` is the channel's own id of the order. A second order of the channel with the same one is 409 \`order_exists\`, for as
long as the first one exists.`,
    body: orderShape,
    responses: { 201: data(order) },
    errors: [
      "not_found",
      { code: "order_exists", fields: taken },
      { code: "order_number_taken", fields: taken },
    ],
    etag: true,
    location: true,
    emits: ["order.placed"],
  },
  import: {
    id: "importOrders",
    tag,
    summary: "Import up to 100 orders",
    description: `Each order succeeds or fails by itself, so the response is 200 also if every one of them has failed. The results are in the order of
the request. An order at fault has the error that \`POST /v1/orders\` would respond with. Imports of one tenant follow one another; too many
that wait are 429, or 503 if other tenants' imports take every slot.`,
    body: z.strictObject({ orders: z.array(orderShape).min(1).max(100) }),
    responses: { 200: data(z.array(importResult())) },
    emits: ["order.placed"],
  },
  list: {
    id: "listOrders",
    tag,
    summary: "List orders",
    description: `The newest come first. Several filters together select the orders that match all of them.

Use the change feed to find new or changed orders: an order that is committed late has an earlier time than others that the list has shown
already.`,
    responses: { 200: page(order) },
  },
  listEvents: {
    id: "listOrderEvents",
    tag: "Change feeds",
    summary: "Read the change feed of orders",
    description: `The events of the tenant's orders in the order of their commits, for as long as they are kept (30 days by default). A client that
goes on with \`nextCursor\` misses none. A cursor older than the events that are kept is 410.`,
    responses: { 200: feed(feedEvents(orderEventTypes)) },
    errors: ["cursor_expired"],
  },
  get: {
    id: "getOrder",
    tag,
    summary: "Get an order",
    responses: { 200: data(order) },
    etag: true,
  },
  update: {
    id: "updateOrder",
    tag,
    summary: "Change the notes, metadata, addresses or parcel of an order",
    description: `\`null\` removes a value; a field that is absent stays as it is. Addresses can change only while the order is placed, \`trackingNumber\` and
\`carrier\` only once it is fulfilled. The change is in the timeline, and in the change feed as \`order.updated\`; no exchange carries
it. A change that changes nothing leaves the version as it is.`,
    responses: { 200: data(order) },
    errors: [refusal("invalid_transition")],
    etag: true,
    ifMatch: true,
  },
  timeline: {
    id: "getOrderTimeline",
    tag,
    summary: "Get the timeline of an order",
    description: "Every change of the order, the newest first.",
    responses: { 200: page(timelineEntry) },
  },
} satisfies Record<string, About>;

const change = {
  tag,
  responses: { 200: data(order) },
  etag: true,
  ifMatch: true,
} satisfies Partial<About>;

export const paymentAbouts = {
  list: {
    id: "listPayments",
    tag,
    summary: "List the payments and refunds of an order",
    description: "The newest come first.",
    responses: { 200: page(paymentOrRefund) },
  },
  record: {
    ...change,
    id: "recordPayment",
    summary: "Record a payment of an order",
    description: `Reports that a payment succeeded or failed; the platform does not move money. \`amount\` is the amount due by default, and a payment that
succeeded must have exactly it. A failed payment never changes a paid order.

\`reference\` names the payment in the system that made it. A payment with the reference, status and amount of an earlier one changes
nothing and is 200; another amount is 409 \`reference_reused\`.`,
    errors: [refusal("order_already_paid"), refusal("order_cancelled"), refusal("reference_reused")],
    emits: ["order.paid", "order.payment_failed"],
  },
  refund: {
    ...change,
    id: "refundOrder",
    summary: "Refund an order",
    description: `Reports a refund of a paid order; the platform does not move money. \`amount\` is all that is left by default. Several refunds may
follow one another until nothing is left.

A refund with the \`reference\` and amount of an earlier one changes nothing and is 200; another amount is 409 \`reference_reused\`.`,
    errors: [refusal("order_not_paid"), refusal("nothing_to_refund"), refusal("reference_reused")],
    emits: ["order.refunded"],
  },
} satisfies Record<string, About>;

export const fulfillmentAbouts = {
  fulfill: {
    ...change,
    id: "fulfillOrder",
    summary: "Fulfill an order",
    description: "The order must be placed and not refunded. It need not be paid.",
    errors: [refusal("invalid_transition")],
    emits: ["order.fulfilled"],
  },
  deliver: {
    ...change,
    id: "deliverOrder",
    summary: "Mark an order as delivered",
    description: "The order must be fulfilled.",
    errors: [refusal("invalid_transition")],
    emits: ["order.delivered"],
  },
  cancel: {
    ...change,
    id: "cancelOrder",
    summary: "Cancel an order",
    description:
      "The order must be placed. One that holds money must be refunded first: 409 `refund_required`.",
    errors: [refusal("invalid_transition"), refusal("refund_required")],
    emits: ["order.cancelled"],
  },
} satisfies Record<string, About>;

function refusal<Code extends string>(code: Code) {
  return { code, fields: { state: orderState } };
}

function importResult() {
  const index = z.int().min(0).max(99).describe("The place of the order in the request, from 0");
  const error = z.strictObject({
    code: z.enum(["validation_error", "not_found", "order_exists", "order_number_taken"]),
    message: z.string(),
    requestId: z.string(),
    details: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .describe("Every field at fault, with its path in the order"),
    orderId: z.uuid().optional().describe("The order that exists"),
  });
  return z
    .discriminatedUnion("success", [
      z.strictObject({ index, success: z.literal(true), data: order }),
      z.strictObject({ index, success: z.literal(false), error }),
    ])
    .meta({ id: "ImportResult", description: "The order that was placed, or why it was not." });
}
