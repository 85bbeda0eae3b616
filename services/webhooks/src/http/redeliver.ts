// POST /v1/webhooks/deliveries/{id}/redeliver: a fresh set of attempts for one delivery, whatever became of it before.
import { ApiError, type ApiRequest, type ApiResponse, accepted, notFound } from "@tradepost/http";
import { sendAgain } from "../delivery/change-deliveries.ts";
import { findDelivery } from "../delivery/delivery-store.ts";
import { recordAudit } from "../record-audit.ts";
import type { Webhooks } from "./context.ts";

export function redeliver({ db, onCommit, onWaiting }: Webhooks) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { id, principal } = request;
    const { tenantId } = principal;
    const { attempts: _, ...delivery } = await db.transaction().execute(async (tx) => {
      const before = await findDelivery(tx, tenantId, id);
      if (before === null) throw notFound("delivery");
      const of = { tenantId, subscriptionId: before.subscriptionId };
      let count = await sendAgain(tx, of, [id]);
      // Settled at this very moment, it was in neither table as the statement saw them.
      if (count === 0) count = await sendAgain(tx, of, [id]);
      if (count === null) {
        throw new ApiError("conflict", "The subscription of this delivery is gone: it has nowhere to go.");
      }
      const target = { type: "webhook_delivery", id } as const;
      await recordAudit(tx, "webhook_delivery.redelivered", target, {}, request);
      return (await findDelivery(tx, tenantId, id)) ?? before;
    });
    onCommit();
    onWaiting();
    return accepted(delivery);
  };
}
