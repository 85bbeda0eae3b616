// GET /v1/webhooks/deliveries: newest first, filtered by subscription, status and type.
import { type ApiRequest, type ApiResponse, cursorPage, listed } from "@tradepost/http";
import type { z } from "zod";
import type { deliveriesQuery } from "../delivery/delivery-input.ts";
import * as store from "../delivery/delivery-store.ts";
import type { Webhooks } from "./context.ts";

export function listDeliveries({ tenants }: Webhooks) {
  return async ({
    principal,
    query,
  }: ApiRequest<undefined, z.output<typeof deliveriesQuery>>): Promise<ApiResponse> =>
    listed(cursorPage(await store.listDeliveries(tenants.of(principal.tenantId), query), query.limit));
}
