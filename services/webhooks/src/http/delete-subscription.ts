// DELETE /v1/webhooks/subscriptions/{id}: its open deliveries are cancelled.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import * as store from "../subscriptions/subscriptions.ts";
import { conditionsOf, type Webhooks } from "./context.ts";

export function deleteSubscription({ db, onCommit, reconciliations }: Webhooks) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { id, principal } = request;
    const wasDeleted = await tenantOf(db, principal.tenantId).transaction((tx) =>
      store.deleteSubscription(tx, id, conditionsOf(request)),
    );
    if (!wasDeleted) throw notFound("subscription");
    onCommit();
    await reconciliations.run({ tenantId: principal.tenantId, subscriptionId: id });
    return ok({ id, deleted: true });
  };
}
