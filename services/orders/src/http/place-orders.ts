// POST /v1/orders/bulk: up to 100 orders, each a success or a failure of its own.
import { ApiError, type FieldFault, validate } from "@tradepost/http";
import { z } from "zod";
import { once } from "../idempotency/once.ts";
import { orderInput } from "../order/order-input.ts";
import * as order from "../order/place-orders.ts";
import type { Orders } from "./context.ts";

const ORDERS_MAX = 100;

const ordersInput = z.strictObject({
  orders: z
    .array(z.unknown(), "must be a list of orders")
    .min(1, "must hold at least 1 order")
    .max(ORDERS_MAX, `must hold at most ${ORDERS_MAX} orders`),
});

/** The list is judged as a whole, its orders one by one: the faults of one are its own. */
export function ordersBody(json: unknown, beside: readonly FieldFault[]): order.OrderCandidate[] {
  const outcome = ordersInput.safeParse(json, { reportInput: true });
  if (!outcome.success || beside.length > 0) validate(ordersInput, json, beside);
  return (outcome.data?.orders ?? []).map(candidate);
}

function candidate(json: unknown): order.OrderCandidate {
  try {
    return { input: validate(orderInput, json) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { error };
  }
}

export function placeOrders({ tenants, onCommit }: Orders) {
  return once<order.OrderCandidate[]>(tenants, async (tenant, request) => {
    const answer = await order.placeOrders(tenant, request);
    onCommit();
    return answer;
  });
}
