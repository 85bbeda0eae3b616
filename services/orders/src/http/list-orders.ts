// GET /v1/orders: lists the tenant's orders, newest first, filtered by state, customer, channel, number and time.
import { type ApiRequest, type ApiResponse, cursorPage, listed } from "@tradepost/http";
import type { OrdersQuery } from "../order/order-input.ts";
import * as store from "../order/order-store.ts";
import type { Orders } from "./context.ts";

export function listOrders({ tenants }: Orders) {
  return async ({ principal, query }: ApiRequest<undefined, OrdersQuery>): Promise<ApiResponse> => {
    const { orders, hasMore } = await store.listOrders(tenants.of(principal.tenantId), query);
    return listed(cursorPage(orders, query.limit, { hasMore }));
  };
}
