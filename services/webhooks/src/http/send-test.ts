// POST /v1/webhooks/subscriptions/{id}/test: sends an example event to this subscription only, through the
// same queue and dispatch as every delivery. The subscription need not subscribe to the event's type.
import { type ApiRequest, accepted, notFound } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import type { z } from "zod";
import type { sendTestInput } from "../delivery/delivery.ts";
import { insertExampleDelivery } from "../subscriptions/subscriptions.ts";
import { conditionsOf, type Webhooks, writersOf } from "./context.ts";

export function sendTest({ db, onWaiting }: Webhooks) {
  return withIdempotencyKey(
    writersOf(db),
    async (tenant, request: ApiRequest<z.output<typeof sendTestInput>, undefined>) => {
      const { id: subscriptionId, body, idempotencyKey } = request;
      const response = await tenant.transaction(async (tx) => {
        const delivery = await insertExampleDelivery(tx, subscriptionId, body.type, conditionsOf(request));
        if (delivery === null) throw notFound("subscription");
        await insertRecord(tx, idempotencyKey, accepted(delivery));
        return accepted(delivery);
      });
      onWaiting();
      return response;
    },
  );
}
