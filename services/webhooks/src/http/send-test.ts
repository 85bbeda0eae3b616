// POST /v1/webhooks/subscriptions/{id}/test: an example event for this subscription alone, on the way that every event
// takes. It need not be of a type that the subscription hears.
import { isSubscribable, subscribableTypes } from "@tradepost/event-catalog";
import { type ApiRequest, type ApiResponse, accepted, notFound } from "@tradepost/http";
import { z } from "zod";
import { insertExampleDelivery } from "../delivery/example-delivery.ts";
import type { Webhooks } from "./context.ts";

export const sendTestInput = z.strictObject({
  type: z
    .string("must be a string")
    .refine(isSubscribable, `must be one of ${subscribableTypes.join(", ")}`)
    .optional(),
});

export function sendTest({ db, onWaiting }: Webhooks) {
  return async (request: ApiRequest<z.output<typeof sendTestInput>, undefined>): Promise<ApiResponse> => {
    const { principal, id: subscriptionId, body, requestId } = request;
    const of = { tenantId: principal.tenantId, subscriptionId };
    const delivery = await insertExampleDelivery(db, of, body.type, requestId);
    if (delivery === null) throw notFound("subscription");
    onWaiting();
    return accepted(delivery);
  };
}
