// POST /v1/webhooks/subscriptions/{id}/recover: sends the deliveries again that failed within a period,
// after the receiver has been repaired.
import { type ApiRequest, type ApiResponse, accepted, notFound } from "@tradepost/http";
import { insertRecord, replaceRecord, withIdempotencyKey } from "@tradepost/idempotency";
import type { TransactionalTenant } from "@tradepost/postgres";
import type { z } from "zod";
import { countFailed, createRecovery, type recoverInput } from "../subscriptions/subscriptions.ts";
import type { Tables } from "../tables.ts";
import { conditionsOf, type Webhooks, writersOf } from "./context.ts";

type RecoverRequest = ApiRequest<z.output<typeof recoverInput>, undefined>;

export function recover({ db, recoveries, onCommit }: Webhooks) {
  return withIdempotencyKey(writersOf(db), async (tenant, request: RecoverRequest) => {
    if (request.body.dryRun) return await recoverDry(tenant, request);
    const { idempotencyKey } = request;
    const recovery = await tenant.transaction(async (tx) => {
      const created = await createRecovery(tx, request.id, request.body, conditionsOf(request));
      if (created === null) throw notFound("subscription");
      await insertRecord(tx, idempotencyKey, accepted({ ...created, requeued: 0 }));
      return created;
    });
    onCommit();
    const response = accepted({ ...recovery, requeued: await recoveries.run(recovery.id) });
    await replaceRecord(tenant, idempotencyKey, response);
    return response;
  });
}

async function recoverDry(
  tenant: TransactionalTenant<Tables>,
  request: RecoverRequest,
): Promise<ApiResponse> {
  return await tenant.transaction(async (tx) => {
    const matched = await countFailed(tx, request.id, request.body, conditionsOf(request).ifMatch);
    if (matched === null) throw notFound("subscription");
    const response = accepted({ id: null, matched, requeued: 0 });
    await insertRecord(tx, request.idempotencyKey, response);
    return response;
  });
}
