// DELETE /v1/webhooks/subscriptions/{id}: gone for good; what was pending is cancelled.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import * as store from "../subscription/subscription-changes.ts";
import type { Webhooks } from "./context.ts";

export function deleteSubscription({ db, onCommit, reconciliations }: Webhooks) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const wasThere = await store.deleteSubscription(db, request.id, request);
    if (!wasThere) throw notFound("subscription");
    onCommit();
    await reconciliations.run({ tenantId: request.principal.tenantId, subscriptionId: request.id });
    return ok({ id: request.id, deleted: true });
  };
}
