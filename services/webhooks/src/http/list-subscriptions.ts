// GET /v1/webhooks/subscriptions: newest first, `?active=` only those that are active or paused.
import { type ApiRequest, type ApiResponse, cursorPage, listed } from "@tradepost/http";
import type { SubscriptionsQuery } from "../subscriptions/subscriptions.ts";
import * as store from "../subscriptions/subscriptions.ts";
import type { Webhooks } from "./context.ts";

export function listSubscriptions({ tenants }: Webhooks) {
  return async ({ principal, query }: ApiRequest<undefined, SubscriptionsQuery>): Promise<ApiResponse> =>
    listed(cursorPage(await store.listSubscriptions(tenants.of(principal.tenantId), query), query.limit));
}
