import { z } from "zod";
import { amount, id, idempotencyKeyOf, lines, orderId, requestKey, shortText } from "../arguments.ts";
import * as schema from "../output-schema.ts";
import { camelCased, pathOf } from "../service-calls.ts";
import { type ApiOrder, conciseOrder, orderSchema } from "../shown-order.ts";
import { type ToolContext, type ToolResult, tool, WRITE_CRM } from "../tool.ts";

const output = schema.object({ result: schema.oneOf("done", "already_done"), order: orderSchema });

export const recordPayment = tool({
  name: "record_payment",
  title: "Record a payment",
  description:
    "Records that a payment for an order succeeded or failed elsewhere. Use it only when the user or a payment system says so. It charges nobody and moves no money. Not for giving money back (refund_order).",
  needs: [WRITE_CRM],
  effect: "changes",
  input: z.strictObject({
    order_id: orderId,
    status: z.enum(["succeeded", "failed"], "must be succeeded or failed").describe("What happened."),
    amount: amount.optional().describe("Default: the amount due, which is the most; less is a part payment."),
    reference: shortText(255)
      .optional()
      .describe("The payment's id elsewhere. Repeated with the same amount it changes nothing."),
    request_key: requestKey,
  }),
  output,
  run: async (args, context) => await act("/payments", args, context),
});

export const fulfillOrder = tool({
  name: "fulfill_order",
  title: "Ship an order or a part of it",
  description:
    "Records that a placed order, or a part of it, was sent, with the tracking number. Use it when the goods have left. It cannot be undone, and an order of which a part is sent cannot be cancelled. Not for arrived goods (deliver_order).",
  needs: [WRITE_CRM],
  effect: "changes",
  isIdempotent: true,
  input: z.strictObject({
    order_id: orderId,
    lines: lines.describe("What was sent. Default: all that is still to send."),
    tracking_number: shortText(255).optional().describe("The carrier's number of the parcel."),
    carrier: shortText(255).optional().describe("Who transports it."),
    request_key: requestKey,
  }),
  output,
  run: async (args, context) => await act("/fulfill", args, context),
});

export const deliverOrder = tool({
  name: "deliver_order",
  title: "Mark an order as delivered",
  description:
    "Marks the sent shipments of an order, or one of them, as arrived at the customer. Use it when the delivery is certain. It cannot be undone. Not for sending (fulfill_order).",
  needs: [WRITE_CRM],
  effect: "changes",
  isIdempotent: true,
  input: z.strictObject({
    order_id: orderId,
    shipment_id: id("One of the order's shipments. Default: all.").optional(),
    request_key: requestKey,
  }),
  output,
  run: async (args, context) => await act("/deliver", args, context),
});

async function act(
  action: string,
  {
    order_id,
    request_key,
    ...body
  }: { readonly order_id: string; readonly request_key?: string | undefined },
  { services }: ToolContext,
): Promise<ToolResult> {
  const { data, isReplayed } = await services.post<ApiOrder>(pathOf("orders", order_id, action), {
    body: camelCased(body),
    idempotencyKey: idempotencyKeyOf(request_key),
  });
  return {
    summary: isReplayed
      ? "Already done by an earlier call with the same request_key; nothing changed. The order is shown as it was then."
      : `Done. The order is ${data.status} and ${data.paymentStatus}.`,
    structured: { result: isReplayed ? "already_done" : "done", order: conciseOrder(data) },
  };
}
