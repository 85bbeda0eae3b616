// The bodies of the actions on an order, POST /v1/orders/{id}/{action} (interface §4). Pure.
import { text } from "@tradepost/http";
import { z } from "zod";
import { AMOUNT_DUE_MAX, DECIMALS_MAX } from "./money.ts";
import { amount } from "./order-input.ts";

// The decimals that the order's currency allows are checked later, when the order has been read.
const anyAmount = amount(DECIMALS_MAX, AMOUNT_DUE_MAX);
const reason = text(1_000, { hasLines: true }).optional();
const outcomes = ["succeeded", "failed"] as const;

export const actionInputs = {
  payments: z.strictObject({
    status: z.enum(outcomes, `must be one of ${outcomes.join(", ")}`),
    amount: anyAmount
      .optional()
      .describe("In units of the order's currency, with at most its decimals; the amount due by default"),
    reference: text(255).optional().describe("Names the payment in the system that made it"),
  }),
  fulfill: z.strictObject({ trackingNumber: text(255).optional(), carrier: text(255).optional() }),
  deliver: z.strictObject({}),
  cancel: z.strictObject({ reason }),
  refund: z.strictObject({
    amount: anyAmount
      .refine((value) => value !== 0, "must be more than 0")
      .meta({ exclusiveMinimum: 0 })
      .optional()
      .describe("In units of the order's currency, with at most its decimals; all that is left by default"),
    reason,
    reference: text(255).optional().describe("Names the refund in the system that made it"),
  }),
};

export type ActionName = keyof typeof actionInputs;
type ActionInput<Name extends ActionName> = z.output<(typeof actionInputs)[Name]>;

export type Action = { [Name in ActionName]: { readonly name: Name } & ActionInput<Name> }[ActionName];
