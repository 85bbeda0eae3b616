// The bodies of the actions on an order, POST /v1/orders/{id}/{action} (interface §4). Pure.
import { text } from "@tradepost/http";
import { z } from "zod";
import { AMOUNT_DUE_MAX, DECIMALS_MAX } from "./money.ts";
import { amount, ITEMS_MAX, QUANTITY_MAX } from "./order-input.ts";

// The decimals of the order's currency are checked once the order has been read.
const anyAmount = amount(DECIMALS_MAX, AMOUNT_DUE_MAX);
const reason = text(1_000, { hasLines: true }).optional();
const outcomes = ["succeeded", "failed"] as const;
const lines = z
  .array(
    z
      .strictObject({
        lineId: z.uuid("must be the id of a line").toLowerCase(),
        quantity: z
          .int("must be a whole number")
          .min(1, "must be at least 1")
          .max(QUANTITY_MAX, `must be at most ${QUANTITY_MAX}`),
      })
      .meta({ id: "LineQuantity", description: "Units of a line of the order." }),
    "must be a list of lines",
  )
  .min(1, "must contain at least 1 line")
  .max(ITEMS_MAX, `must contain at most ${ITEMS_MAX} lines`)
  .optional();

export const actionInputs = {
  payments: z.strictObject({
    status: z.enum(outcomes, `must be one of ${outcomes.join(", ")}`),
    amount: anyAmount
      .optional()
      .describe("In units of the order's currency; by default, and at most, the amount due"),
    reference: text(255).optional().describe("Names the payment in the system that made it"),
  }),
  fulfill: z.strictObject({
    lines: lines.describe("What the shipment has; all that is still to ship by default"),
    trackingNumber: text(255).optional(),
    carrier: text(255).optional(),
  }),
  deliver: z.strictObject({
    shipmentId: z
      .uuid("must be the id of a shipment")
      .toLowerCase()
      .optional()
      .describe("All that are shipped by default"),
  }),
  cancel: z.strictObject({
    reason,
    refund: z.boolean("must be true or false").optional().describe("True to refund what is held first"),
  }),
  refund: z.strictObject({
    lines: lines.describe("Which units the refund is for"),
    amount: anyAmount
      .refine((value) => value !== 0, "must be more than 0")
      .meta({ exclusiveMinimum: 0 })
      .optional()
      .describe("In units of the order's currency; by default the price and tax of `lines`, or what is left"),
    reason,
    reference: text(255).optional().describe("Names the refund in the system that made it"),
  }),
};

export type ActionName = keyof typeof actionInputs;
type ActionInput<Name extends ActionName> = z.output<(typeof actionInputs)[Name]>;

export type Action = { [Name in ActionName]: { readonly name: Name } & ActionInput<Name> }[ActionName];
