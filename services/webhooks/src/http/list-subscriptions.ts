// GET /v1/webhooks/subscriptions: newest first.
import { type ApiRequest, type ApiResponse, cursorPage, listed, type PageQuery } from "@tradepost/http";
import * as store from "../subscription/subscription-store.ts";
import type { Webhooks } from "./context.ts";

export function listSubscriptions({ tenants }: Webhooks) {
  return async ({ principal, query }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> =>
    listed(cursorPage(await store.listSubscriptions(tenants.of(principal.tenantId), query), query.limit));
}
