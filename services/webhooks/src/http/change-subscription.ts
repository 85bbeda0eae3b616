// PATCH /v1/webhooks/subscriptions/{id}: changes name, url and events; `active` pauses and resumes.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import * as store from "../subscription/subscription-changes.ts";
import type { Webhooks } from "./context.ts";

export function changeSubscription({ db, onCommit, reconciliations }: Webhooks) {
  return async (request: ApiRequest<store.SubscriptionChange, undefined>): Promise<ApiResponse> => {
    const { id, body, principal } = request;
    const changed = await store.changeSubscription(tenantOf(db, principal.tenantId), id, body, request);
    if (changed === null) throw notFound("subscription");
    onCommit();
    if (body.active !== undefined) {
      await reconciliations.run({ tenantId: principal.tenantId, subscriptionId: id });
    }
    return ok(changed);
  };
}
