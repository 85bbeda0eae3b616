// POST /v1/orders
import { withIdempotencyKey } from "../idempotency/with-idempotency-key.ts";
import type { OrderInput } from "../order/order-input.ts";
import { placedResponse } from "../order/order-resource.ts";
import { writeOrder } from "../order/write-order.ts";
import type { Orders } from "./context.ts";

export function placeOrder({ tenants, onCommit }: Orders) {
  return withIdempotencyKey<OrderInput>(tenants, async (tenant, request) => {
    const order = await writeOrder(tenant.batched, request.body, request, { recordsResponse: true });
    onCommit();
    return placedResponse(order);
  });
}
