// GET /v1/orders/{id}: the order with its lines.
import { type Answer, type ApiRequest, notFound, ok } from "@tradepost/http";
import { findOrder } from "../order/order-store.ts";
import type { Orders } from "./context.ts";

export function readOrder({ db }: Orders) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<Answer> => {
    const order = await findOrder(db, principal.tenantId, id);
    if (order === null) throw notFound("order");
    return ok(order);
  };
}
