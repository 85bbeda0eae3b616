// GET /v1/orders/{id}/payments: lists the payments and refunds of an order, newest first.
import {
  type ApiRequest,
  type ApiResponse,
  cursorPage,
  listed,
  notFound,
  type PageQuery,
} from "@tradepost/http";
import { readPayments } from "../order/payment-store.ts";
import type { Orders } from "./context.ts";

export function listPayments({ tenants }: Orders) {
  return async ({ principal, id, query }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> => {
    const payments = await readPayments(tenants.of(principal.tenantId), id, query);
    if (payments === null) throw notFound("order");
    return listed(cursorPage(payments, query.limit, { shown: ({ shown }) => shown }));
  };
}
