import { z } from "zod";
import { amount, customerId, idempotencyKeyOf, requestKey, shortText, time } from "../arguments.ts";
import * as schema from "../output-schema.ts";
import { camelCased } from "../service-calls.ts";
import { type ApiOrder, conciseOrder, orderSchema } from "../shown-order.ts";
import { tool, WRITE_CRM } from "../tool.ts";

const address = z
  .strictObject({
    line1: shortText(500).describe("Street and number."),
    line2: shortText(500).optional().describe("Floor, apartment, company."),
    postal_code: shortText(50).optional().describe("Postal code."),
    city: shortText(255).describe("City."),
    region: shortText(255).optional().describe("State or province."),
    country: shortText(100).optional().describe("Country."),
  })
  .optional();

const item = z.strictObject({
  sku: shortText(255).describe("The article's number."),
  name: shortText(500).describe("As the customer reads it."),
  quantity: z.int("must be a whole number").min(1).max(2_147_483_647).default(1).describe("How many."),
  unit_price: amount.describe("At most 4 decimals."),
  tax_amount: amount.optional().describe("Of the whole line."),
  description: z.string().max(5_000).optional().describe("More about the article."),
  product_id: z.string().max(64).optional().describe("The product's id elsewhere."),
  variant_id: z.string().max(64).optional().describe("The variant's id elsewhere."),
});

const note = z.string("must be a string").max(5_000).optional();

export const placeOrder = tool({
  name: "place_order",
  title: "Place an order",
  description:
    "Places an order for an existing customer. Use it when the user asked for this order and confirmed lines and prices; do not invent prices. It takes no payment (record_payment does). Not for changing an order. Pass a request_key: without one, a repeated call places a second order.",
  needs: [WRITE_CRM],
  effect: "adds",
  input: z.strictObject({
    customer_id: customerId,
    items: z.array(item, "must be a list of order lines").min(1).max(500).describe("The lines."),
    currency: z.string().length(3).default("USD").describe("ISO 4217."),
    shipping_total: amount.optional().describe("Before tax."),
    discount_total: amount.optional().describe("Subtracted from the total."),
    tax_total: amount.optional().describe("Default: the sum of the lines'."),
    shipping_address: address.describe("Where the goods go."),
    billing_address: address.describe("Where the invoice goes."),
    customer_note: note.describe("The customer reads it too."),
    internal_note: note.describe("For the staff only."),
    placed_at: time.optional().describe("When it was ordered, if not now."),
    external_id: shortText(255).optional().describe("The order's id elsewhere, unique."),
    property_id: shortText(255).optional().describe("The site it was placed on."),
    request_key: requestKey,
  }),
  output: schema.object({ result: schema.oneOf("placed", "already_placed"), order: orderSchema }),
  run: async ({ request_key, ...order }, { services }) => {
    const { data, isReplayed } = await services.post<ApiOrder>("/v1/orders", {
      idempotencyKey: idempotencyKeyOf(request_key),
      body: { channel: "mcp", ...camelCased(order) },
    });
    return {
      summary: isReplayed
        ? "This order was already placed by an earlier call with the same request_key; nothing new was placed. It is shown as it was then."
        : "The order is placed.",
      structured: { result: isReplayed ? "already_placed" : "placed", order: conciseOrder(data) },
    };
  },
});
