// POST /v1/orders: places an order; `order.placed`.
import { withIdempotencyKey } from "../idempotency/with-idempotency-key.ts";
import type { OrderInput } from "../order/order-input.ts";
import { placedResponse } from "../order/order-resource.ts";
import { writeOrder } from "../order/write-order.ts";
import type { Orders } from "./context.ts";

export function placeOrder({ tenants, onCommit }: Orders) {
  return withIdempotencyKey<OrderInput>(tenants, async (tenant, request) => {
    const { body, idempotencyKey } = request;
    const order = await writeOrder(tenant.batched, body, { idempotencyKey, recordsResponse: true }, request);
    onCommit();
    return placedResponse(order);
  });
}
