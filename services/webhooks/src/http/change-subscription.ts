// PATCH /v1/webhooks/subscriptions/{id}: name, url, events, and `active` to pause and resume.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import * as store from "../subscription/subscription-changes.ts";
import type { Webhooks } from "./context.ts";

export function changeSubscription({ db, onCommit, reconciliations }: Webhooks) {
  return async (request: ApiRequest<store.SubscriptionChange, undefined>): Promise<ApiResponse> => {
    const changed = await store.changeSubscription(db, request.id, request.body, request);
    if (changed === null) throw notFound("subscription");
    onCommit();
    if (request.body.active !== undefined) {
      await reconciliations.run({ tenantId: request.principal.tenantId, subscriptionId: request.id });
    }
    return ok(changed);
  };
}
