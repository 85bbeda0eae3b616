// GET /v1/webhooks/subscriptions/{id}: one subscription, its secret redacted, with its endpoint's health.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { findSubscription } from "../subscription/subscription-store.ts";
import type { Webhooks } from "./context.ts";

export function readSubscription({ db }: Webhooks) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const subscription = await findSubscription(db, principal.tenantId, id);
    if (subscription === null) throw notFound("subscription");
    return ok(subscription);
  };
}
