// GET /v1/webhooks/subscriptions: the tenant's subscriptions, newest first, their secrets redacted.
import { type ApiRequest, type ApiResponse, cursorPage, listed, type PageQuery } from "@tradepost/http";
import * as store from "../subscription/subscription-store.ts";
import type { Webhooks } from "./context.ts";

export function listSubscriptions({ db }: Webhooks) {
  return async ({ principal, query }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> =>
    listed(cursorPage(await store.listSubscriptions(db, principal.tenantId, query), query.limit));
}
