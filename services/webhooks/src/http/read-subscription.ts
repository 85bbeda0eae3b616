// GET /v1/webhooks/subscriptions/{id}: one subscription with the health of its endpoint.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { findSubscription } from "../subscription/subscription-store.ts";
import type { Webhooks } from "./context.ts";

export function readSubscription({ tenants }: Webhooks) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const subscription = await findSubscription(tenants.of(principal.tenantId), id);
    if (subscription === null) throw notFound("subscription");
    return ok(subscription);
  };
}
