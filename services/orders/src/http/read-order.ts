// GET /v1/orders/{id}: reads an order with its lines.
import { type ApiRequest, type ApiResponse, notFound } from "@tradepost/http";
import { orderResponse } from "../order/order-resource.ts";
import { findOrder } from "../order/order-store.ts";
import type { Orders } from "./context.ts";

export function readOrder({ tenants }: Orders) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const order = await findOrder(tenants.of(principal.tenantId), id);
    if (order === null) throw notFound("order");
    return orderResponse(order);
  };
}
