// GET /v1/webhooks/recoveries/{id}: how far a recovery has come.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { findRecovery } from "../subscriptions/subscriptions.ts";
import type { Webhooks } from "./context.ts";

export function readRecovery({ tenants }: Webhooks) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const recovery = await findRecovery(tenants.of(principal.tenantId), id);
    if (recovery === null) throw notFound("recovery");
    return ok(recovery);
  };
}
