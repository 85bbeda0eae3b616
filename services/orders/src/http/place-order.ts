// POST /v1/orders: places an order; `order.placed`.
import type { ApiRequest } from "@tradepost/http";
import { withIdempotencyKey } from "@tradepost/idempotency";
import type { OrderInput } from "../order/order-input.ts";
import { placedResponse } from "../order/order-resource.ts";
import { isTwin, writeOrder } from "../order/write-order.ts";
import type { Orders } from "./context.ts";

export function placeOrder({ tenants, onCommit, countPlaced }: Orders) {
  return withIdempotencyKey(tenants, async (tenant, request: ApiRequest<OrderInput, undefined>) => {
    const { body, idempotencyKey } = request;
    const write = () => writeOrder(tenant.batched, body, { idempotencyKey, recordsResponse: true }, request);
    const order = await write().catch((error: unknown) => {
      if (isTwin(error)) return write();
      throw error;
    });
    onCommit();
    countPlaced(body.channel);
    return placedResponse(order);
  });
}
