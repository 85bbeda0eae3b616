// DELETE /v1/webhooks/listeners/{id}: its open deliveries are cancelled.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import * as store from "../listeners/listeners.ts";
import type { Webhooks } from "./context.ts";

export function deleteListener({ db, onCommit, reconciliations }: Webhooks) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { id, principal } = request;
    const wasDeleted = await tenantOf(db, principal.tenantId).transaction((tx) =>
      store.deleteListener(tx, id, request),
    );
    if (!wasDeleted) throw notFound("listener");
    onCommit();
    await reconciliations.run({ tenantId: principal.tenantId, subscriptionId: id });
    return ok({ id, deleted: true });
  };
}
