// GET /v1/orders/{id}/timeline: lists the transitions of an order, newest first.
import {
  type ApiRequest,
  type ApiResponse,
  cursorPage,
  listed,
  notFound,
  type PageQuery,
} from "@tradepost/http";
import * as store from "../order/timeline-store.ts";
import type { Orders } from "./context.ts";

export function readTimeline({ tenants }: Orders) {
  return async ({ principal, id, query }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> => {
    const entries = await store.readTimeline(tenants.of(principal.tenantId), id, query);
    if (entries === null) throw notFound("order");
    return listed(cursorPage(entries, query.limit, { shown: ({ id: _, ...shown }) => shown }));
  };
}
