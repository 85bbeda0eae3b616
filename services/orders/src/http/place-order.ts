// POST /v1/orders: a valid body becomes a committed order, and the relay is told that there is an event.
import { type Answer, type ApiRequest, created } from "@tradepost/http";
import type { OrderInput } from "../order/order-input.ts";
import * as order from "../order/place-order.ts";
import type { Orders } from "./context.ts";

export function placeOrder({ pool, onCommit }: Orders) {
  return async (request: ApiRequest<OrderInput, undefined>): Promise<Answer> => {
    const placed = await order.placeOrder(pool, request.body, request);
    onCommit();
    return created(placed, `/v1/orders/${placed.id}`);
  };
}
