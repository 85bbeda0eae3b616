// POST /v1/webhooks/listeners/{id}/deliveries/{deliveryId}/result: the result of an attempt at a leased delivery.
import { type ApiRequest, isUuid, notFound, ok } from "@tradepost/http";
import { withKeyOfRepeatable } from "@tradepost/idempotency";
import { findDelivery } from "../delivery/delivery.ts";
import type { ReportedResult } from "../listeners/listeners.ts";
import { type Webhooks, writersOf } from "./context.ts";

export function reportResult({ db, results }: Webhooks) {
  return withKeyOfRepeatable(
    writersOf(db),
    async (tenant, request: ApiRequest<ReportedResult, undefined>) => {
      const { id: listenerId, params, body } = request;
      const deliveryId = params.deliveryId?.toLowerCase() ?? "";
      if (!isUuid(deliveryId)) throw notFound("delivery");
      const listener = { tenantId: tenant.tenantId, listenerId };
      if (!(await results.report(listener, deliveryId, body))) throw notFound("delivery");
      const delivery = await findDelivery(tenant, deliveryId);
      if (delivery === null) throw notFound("delivery");
      return ok(delivery);
    },
  );
}
