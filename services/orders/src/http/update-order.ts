// PATCH /v1/orders/{id}: changes notes, metadata, addresses or the parcel; `null` removes a value.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import type { OrderChange } from "../order/order-input.ts";
import * as order from "../order/update-order.ts";
import type { Orders } from "./context.ts";

export function updateOrder({ tenants }: Orders) {
  return (request: ApiRequest<OrderChange, undefined>): Promise<ApiResponse> => {
    const { principal, id, body, raw } = request;
    return order.updateOrder(tenants.of(principal.tenantId), id, body, raw.headers["if-match"], request);
  };
}
