import { notFound } from "@tradepost/http";
import { z } from "zod";
import { customerId, detail, orderId, page, searchText, shortText, time } from "../arguments.ts";
import * as schema from "../output-schema.ts";
import { camelCased, pathOf } from "../service-calls.ts";
import {
  type ApiOrder,
  conciseOrder,
  type Entry,
  fullOrder,
  orderSchema,
  shownEntry,
  shownItems,
  shownPayment,
} from "../shown-order.ts";
import { listed, READ_CRM, type ToolContext, tool } from "../tool.ts";

const statuses = ["placed", "fulfilled", "delivered", "cancelled"] as const;
const paymentStatuses = [
  ...(["unpaid", "failed", "partially_paid", "paid", "partially_refunded", "refunded"] as const),
] as const;
const fulfillments = ["none", "part", "all"] as const;
const LISTED_ITEMS_MAX = 5;
const SHOWN_ITEMS_MAX = 50;
const PAYMENTS_MAX = 20;

export const findOrders = tool({
  name: "find_orders",
  title: "Find orders",
  description:
    "Lists orders, newest first, by the filters given. Use it to look up an order by its customer's name, e-mail or phone, by number or state. Not for one order whose id you have (get_order), and not for totals (sales_summary).",
  needs: [READ_CRM],
  effect: "reads",
  input: z.strictObject({
    search: searchText
      .optional()
      .describe(
        "Beginnings of words of the customer's name, e-mail or phone, or the order's number, external id or tracking number.",
      ),
    order_number: shortText(64).optional().describe("Exactly this number."),
    external_id: shortText(255).optional().describe("The order's id elsewhere."),
    customer_id: customerId.optional(),
    status: z.array(z.enum(statuses)).min(1).max(4).optional().describe("Any of these."),
    payment_status: z.array(z.enum(paymentStatuses)).min(1).max(6).optional().describe("Any of these."),
    fulfillment: z.enum(fulfillments).optional().describe("How much of it is sent."),
    channel: z
      .enum(["storefront", "b2b_portal", "admin", "import", "mcp"])
      .optional()
      .describe("Where they came from."),
    created_after: time.optional(),
    created_before: time.optional().describe("As created_after."),
    placed_after: time.optional().describe("When it was ordered."),
    placed_before: time.optional().describe("As placed_after."),
    updated_after: time.optional().describe("As created_after."),
    detail,
    ...page,
  }),
  output: schema.pageOf("orders", schema.object({ id: schema.text })),
  run: async ({ detail, ...filter }, context) => {
    const { data, nextCursor } = await context.services.get<ApiOrder[]>("/v1/orders", camelCased(filter));
    const show = (order: ApiOrder) =>
      detail === "full" ? fullOrder(order, context, LISTED_ITEMS_MAX) : conciseOrder(order);
    return listed("Orders on this page", "orders", data.map(show), nextCursor);
  },
});

export const getOrder = tool({
  name: "get_order",
  title: "Read an order",
  description:
    "Reads one order by order_id with its lines and its timeline (who did what, when), newest first. detail full adds addresses, notes, metadata, payments and refunds. Use it before you change an order. Not for searching (find_orders).",
  needs: [READ_CRM],
  effect: "reads",
  input: z.strictObject({
    order_id: orderId,
    detail,
    limit: page.limit.describe("Entries of the timeline."),
    cursor: page.cursor.describe("timeline_next_cursor of the call before."),
  }),
  output: schema.object(
    {
      order: orderSchema,
      timeline: schema.list(),
      timeline_next_cursor: schema.textOrNull,
      payments: schema.list(),
    },
    ["order", "timeline", "timeline_next_cursor"],
  ),
  run: async (args, context) => {
    const { services } = context;
    const isFull = args.detail === "full";
    const path = pathOf("orders", args.order_id);
    const order = await readOrder(args.order_id, context);
    const { limit, cursor } = args;
    const timeline = await services.get<Entry[]>(`${path}/timeline`, { limit, cursor });
    const payments = isFull
      ? await services.get<Record<string, unknown>[]>(`${path}/payments`, { limit: PAYMENTS_MAX })
      : undefined;
    return {
      summary: `The order is ${order.status} and ${order.paymentStatus}.`,
      structured: {
        order: isFull
          ? fullOrder(order, context, SHOWN_ITEMS_MAX)
          : { ...conciseOrder(order), ...shownItems(order, LISTED_ITEMS_MAX) },
        timeline: timeline.data.map(shownEntry),
        timeline_next_cursor: timeline.nextCursor,
        ...(payments && { payments: payments.data.map(shownPayment) }),
      },
    };
  },
});

export async function readOrder(id: string, { services }: Pick<ToolContext, "services">): Promise<ApiOrder> {
  const { data } = await services.get<ApiOrder>(pathOf("orders", id));
  if (data.id !== id.toLowerCase()) throw notFound("order");
  return data;
}
