// POST /v1/orders: places an order; `order.placed`.
import type { ApiRequest } from "@tradepost/http";
import { withIdempotencyKey } from "@tradepost/idempotency";
import type { OrderInput } from "../order/order-input.ts";
import { placedResponse } from "../order/order-resource.ts";
import { writeOrder } from "../order/write-order.ts";
import type { Orders } from "./context.ts";

export function placeOrder({ tenants, onCommit }: Orders) {
  return withIdempotencyKey(tenants, async (tenant, request: ApiRequest<OrderInput, undefined>) => {
    const { body, idempotencyKey } = request;
    const order = await writeOrder(tenant.batched, body, { idempotencyKey, recordsResponse: true }, request);
    onCommit();
    return placedResponse(order);
  });
}
