// POST /v1/orders: a valid body becomes a committed order, and the relay is told that there is an event.
import { once } from "../idempotency/once.ts";
import type { OrderInput } from "../order/order-input.ts";
import * as order from "../order/place-order.ts";
import type { Orders } from "./context.ts";

export function placeOrder({ tenants, onCommit }: Orders) {
  return once<OrderInput>(tenants, async (tenant, request) => {
    const answer = await order.placeOrder(tenant, request.body, request);
    onCommit();
    return answer;
  });
}
