// GET /v1/webhooks/deliveries: the delivery log, newest first, by subscription, status and type.
import { type ApiRequest, type ApiResponse, cursorPage, listed, pageQuery } from "@tradepost/http";
import { z } from "zod";
import { deliveryStatuses } from "../delivery/delivery.ts";
import * as store from "../delivery/delivery-store.ts";
import type { Webhooks } from "./context.ts";

export const deliveriesQuery = z.strictObject({
  ...pageQuery,
  subscriptionId: z.uuid("must be a UUID").optional(),
  status: z.enum(deliveryStatuses, `must be one of ${deliveryStatuses.join(", ")}`).optional(),
  type: z.string().max(255).optional(),
});

export function listDeliveries({ db }: Webhooks) {
  return async ({
    principal,
    query,
  }: ApiRequest<undefined, z.output<typeof deliveriesQuery>>): Promise<ApiResponse> =>
    listed(cursorPage(await store.listDeliveries(db, principal.tenantId, query), query.limit));
}
