// GET /v1/orders/{id}: the order with its lines, and its version as ETag.
import { type ApiRequest, type ApiResponse, etagOf, notFound, ok } from "@tradepost/http";
import { findOrder } from "../order/order-store.ts";
import type { Orders } from "./context.ts";

export function readOrder({ tenants }: Orders) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { db, tenantId } = tenants.of(principal.tenantId);
    const order = await findOrder(db, tenantId, id);
    if (order === null) throw notFound("order");
    return ok(order, { etag: etagOf(order.version) });
  };
}
