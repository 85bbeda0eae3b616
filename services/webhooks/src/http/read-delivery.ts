// GET /v1/webhooks/deliveries/{id}: one delivery with all of its attempts and its latest request.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { findDeliveryWithAttempts } from "../delivery/delivery.ts";
import type { Webhooks } from "./context.ts";

export function readDelivery({ tenants }: Webhooks) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const delivery = await findDeliveryWithAttempts(tenants.of(principal.tenantId), id);
    if (delivery === null) throw notFound("delivery");
    return ok(delivery);
  };
}
