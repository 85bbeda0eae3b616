// POST /v1/webhooks/deliveries/{id}/redeliver: restarts one delivery with a new set of attempts, whatever its status.
import { type ApiRequest, accepted } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { redeliverDelivery } from "../delivery/delivery.ts";
import { type Webhooks, writersOf } from "./context.ts";

export function redeliver({ db, onCommit, onWaiting, leases }: Webhooks) {
  return withIdempotencyKey(writersOf(db), async (tenant, request: ApiRequest<undefined, undefined>) => {
    const { id, idempotencyKey } = request;
    const redelivered = await tenant.transaction(async (tx) => {
      const delivery = await redeliverDelivery(tx, id, request);
      await insertRecord(tx, idempotencyKey, accepted(delivery));
      return delivery;
    });
    onCommit();
    onWaiting();
    leases.wake([redelivered.subscriptionId]);
    return accepted(redelivered);
  });
}
