// GET /v1/webhooks/listeners/{id}: one listener, with what waits for it.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { findListener } from "../listeners/listeners.ts";
import type { Webhooks } from "./context.ts";

export function readListener({ tenants }: Webhooks) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const listener = await findListener(tenants.of(principal.tenantId), id);
    if (listener === null) throw notFound("listener");
    return ok(listener);
  };
}
