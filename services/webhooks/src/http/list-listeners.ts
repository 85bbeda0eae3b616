// GET /v1/webhooks/listeners: newest first, with what waits for each.
import { type ApiRequest, type ApiResponse, cursorPage, listed, type PageQuery } from "@tradepost/http";
import * as store from "../listeners/listeners.ts";
import type { Webhooks } from "./context.ts";

export function listListeners({ tenants }: Webhooks) {
  return async ({ principal, query }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> =>
    listed(cursorPage(await store.listListeners(tenants.of(principal.tenantId), query), query.limit));
}
