// GET /v1/webhooks/deliveries/{id}: one delivery with every attempt: why it is late, or missing.
import { type Answer, type ApiRequest, notFound, ok } from "@tradepost/http";
import { findDelivery } from "../delivery/delivery-store.ts";
import type { Webhooks } from "./context.ts";

export function readDelivery({ db }: Webhooks) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<Answer> => {
    const delivery = await findDelivery(db, principal.tenantId, id);
    if (delivery === null) throw notFound("delivery");
    return ok(delivery);
  };
}
