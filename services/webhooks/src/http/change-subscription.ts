// PATCH /v1/webhooks/subscriptions/{id}: changes name, url, events and headers; `active` pauses and resumes.
import { type ApiRequest, type ApiResponse, etagOf, notFound, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import * as store from "../subscriptions/subscriptions.ts";
import { conditionsOf, type Webhooks } from "./context.ts";

export function changeSubscription({ db, sealing, onCommit, reconciliations }: Webhooks) {
  return async (request: ApiRequest<store.SubscriptionChange, undefined>): Promise<ApiResponse> => {
    const { id, body, principal } = request;
    const changed = await tenantOf(db, principal.tenantId).transaction((tx) =>
      store.changeSubscription(tx, id, body, sealing, conditionsOf(request)),
    );
    if (changed === null) throw notFound("subscription");
    onCommit();
    if (body.active !== undefined) {
      await reconciliations.run({ tenantId: principal.tenantId, subscriptionId: id });
    }
    return ok(changed, { etag: etagOf(changed.version) });
  };
}
