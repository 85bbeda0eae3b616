// GET /v1/webhooks/deliveries: newest first, with filters.
import { type ApiRequest, type ApiResponse, listed } from "@tradepost/http";
import type { z } from "zod";
import type { deliveriesQuery } from "../delivery/delivery.ts";
import * as store from "../log/log.ts";
import type { Webhooks } from "./context.ts";

export function listDeliveries({ tenants }: Webhooks) {
  return async ({
    principal,
    query,
  }: ApiRequest<undefined, z.output<typeof deliveriesQuery>>): Promise<ApiResponse> =>
    listed(await store.listDeliveries(tenants.of(principal.tenantId), query));
}
