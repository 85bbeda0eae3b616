// POST /v1/webhooks/subscriptions/{id}/test: sends an example event to this subscription only, through the
// same queue and dispatch as every delivery. The subscription need not subscribe to the event's type.
import { type ApiRequest, type ApiResponse, accepted, notFound } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { z } from "zod";
import type { sendTestInput } from "../delivery/delivery-input.ts";
import { insertExampleDelivery } from "../delivery/example-delivery.ts";
import { conditionsOf, type Webhooks } from "./context.ts";

export function sendTest({ db, onWaiting }: Webhooks) {
  return async (request: ApiRequest<z.output<typeof sendTestInput>, undefined>): Promise<ApiResponse> => {
    const { principal, id: subscriptionId, body } = request;
    const delivery = await tenantOf(db, principal.tenantId).transaction((tx) =>
      insertExampleDelivery(tx, subscriptionId, body.type, conditionsOf(request)),
    );
    if (delivery === null) throw notFound("subscription");
    onWaiting();
    return accepted(delivery);
  };
}
