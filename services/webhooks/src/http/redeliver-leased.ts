// POST /v1/webhooks/listeners/{id}/deliveries/{deliveryId}/redeliver: restarts a delivery of a listener, which can be leased again.
// Whoever may lease it may repeat it; every other delivery is restarted by an admin (`redeliver.ts`).
import { type ApiRequest, accepted, isUuid, notFound } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { findDelivery, redeliverDelivery } from "../delivery/delivery.ts";
import { isListener } from "../listeners/listeners.ts";
import { type Webhooks, writersOf } from "./context.ts";

export function redeliverLeased({ db, onCommit, leases }: Webhooks) {
  return withIdempotencyKey(writersOf(db), async (tenant, request: ApiRequest<undefined, undefined>) => {
    const { id: listenerId, params, idempotencyKey } = request;
    const deliveryId = params.deliveryId?.toLowerCase() ?? "";
    if (!isUuid(deliveryId)) throw notFound("delivery");
    const response = await tenant.transaction(async (tx) => {
      if (!(await isListener(tx, listenerId))) throw notFound("listener");
      const before = await findDelivery(tx, deliveryId);
      if (before?.subscriptionId !== listenerId) throw notFound("delivery");
      const redelivered = accepted(await redeliverDelivery(tx, deliveryId, request));
      await insertRecord(tx, idempotencyKey, redelivered);
      return redelivered;
    });
    onCommit();
    leases.wake([listenerId]);
    return response;
  });
}
