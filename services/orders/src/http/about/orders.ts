// Describes the operations on orders (interface §4). Pure.
import { orderInEvents } from "@tradepost/event-catalog";
import { type About, data, page } from "@tradepost/http";
import { z } from "zod";
import { orderShape } from "../../order/order-input.ts";

const order = orderInEvents
  .extend({ internalNote: z.string().optional() })
  .meta({ id: "Order", description: "An order with its lines. Amounts are in currency units." });

const taken = { orderId: z.uuid() };

export const orderAbouts = {
  place: {
    id: "placeOrder",
    tag: "Orders",
    summary: "Place an order",
    body: orderShape,
    responses: { 201: data(order) },
    errors: [
      { code: "order_exists", fields: taken },
      { code: "order_number_taken", fields: taken },
    ],
    etag: true,
    emits: ["order.placed"],
  },
  list: {
    id: "listOrders",
    tag: "Orders",
    summary: "List orders, newest first",
    responses: { 200: page(order.omit({ items: true }).meta({ id: "OrderInList" })) },
  },
  get: {
    id: "getOrder",
    tag: "Orders",
    summary: "Get an order",
    responses: { 200: data(order) },
    etag: true,
  },
} satisfies Record<string, About>;
