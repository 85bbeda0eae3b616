// GET /v1/webhooks/subscriptions/{id}: one subscription with the health of its endpoint.
import { type ApiRequest, type ApiResponse, etagOf, notFound, ok } from "@tradepost/http";
import { findSubscription } from "../subscriptions/subscriptions.ts";
import type { Webhooks } from "./context.ts";

export function readSubscription({ tenants }: Webhooks) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const subscription = await findSubscription(tenants.of(principal.tenantId), id);
    if (subscription === null) throw notFound("subscription");
    // The version is for `If-Match` only: the health changes without it.
    const headers = { etag: etagOf(subscription.version) };
    return { ...ok(subscription, headers), isAlwaysSent: true };
  };
}
