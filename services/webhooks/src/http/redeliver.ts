// POST /v1/webhooks/deliveries/{id}/redeliver: restarts one delivery with a new set of attempts, whatever its status.
import { type ApiRequest, type ApiResponse, accepted } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { redeliverDelivery } from "../delivery/redeliver-delivery.ts";
import type { Webhooks } from "./context.ts";

export function redeliver({ db, onCommit, onWaiting }: Webhooks) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { id, principal } = request;
    const delivery = await tenantOf(db, principal.tenantId).transaction((tx) =>
      redeliverDelivery(tx, id, request),
    );
    onCommit();
    onWaiting();
    return accepted(delivery);
  };
}
