// POST /v1/webhooks/subscriptions/{id}/recover: sends the deliveries again that failed within a period,
// after the receiver has been repaired.
import { type ApiRequest, type ApiResponse, accepted, notFound } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { z } from "zod";
import type { recoverInput } from "../recovery/recovery-input.ts";
import { countFailed, createRecovery } from "../recovery/recovery-store.ts";
import { conditionsOf, type Webhooks } from "./context.ts";

export function recover({ db, recoveries, onCommit }: Webhooks) {
  return async (request: ApiRequest<z.output<typeof recoverInput>, undefined>): Promise<ApiResponse> => {
    const { id: subscriptionId, principal, body } = request;
    const tenant = tenantOf(db, principal.tenantId);
    const conditions = conditionsOf(request);
    if (body.dryRun) {
      const matched = await countFailed(tenant, subscriptionId, body, conditions.ifMatch);
      if (matched === null) throw notFound("subscription");
      return accepted({ id: null, matched, requeued: 0 });
    }
    const recovery = await tenant.transaction((tx) => createRecovery(tx, subscriptionId, body, conditions));
    if (recovery === null) throw notFound("subscription");
    onCommit();
    return accepted({ ...recovery, requeued: await recoveries.run(recovery.id) });
  };
}
