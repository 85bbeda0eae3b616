// POST /v1/orders/{id}/payments, /fulfill, /deliver, /cancel and /refund: one step along an order's life.
import { text } from "@tradepost/http";
import { z } from "zod";
import { once } from "../idempotency/once.ts";
import * as order from "../order/change-order.ts";
import type { Action } from "../order/lifecycle.ts";
import { AMOUNT_DUE_MAX, DECIMALS_MAX } from "../order/money.ts";
import { amount } from "../order/order-input.ts";
import type { Orders } from "./context.ts";

// What the order's currency says about decimals is known once the order is.
const anyAmount = amount(DECIMALS_MAX, AMOUNT_DUE_MAX).optional();
const reason = text(1_000).optional();
const outcomes = ["succeeded", "failed"] as const;

/** What each action takes beside the order's id. */
export const actionInputs = {
  payments: z.strictObject({
    status: z.enum(outcomes, `must be one of ${outcomes.join(", ")}`),
    amount: anyAmount,
    reference: text(255).optional(),
  }),
  fulfill: z.strictObject({ trackingNumber: text(255).optional(), carrier: text(255).optional() }),
  deliver: z.strictObject({}),
  cancel: z.strictObject({ reason }),
  refund: z.strictObject({
    amount: anyAmount.refine((given) => given !== 0, "must be more than 0"),
    reason,
  }),
};

type Name = keyof typeof actionInputs;

export function changeOrder<ActionName extends Name>({ tenants, onCommit }: Orders, name: ActionName) {
  return once<z.output<(typeof actionInputs)[ActionName]>>(tenants, async (tenant, request) => {
    // The schema of an action's name is that of its body.
    const action = { name, ...request.body } as unknown as Action;
    const answer = await order.changeOrder(tenant, action, request);
    onCommit();
    return answer;
  });
}
