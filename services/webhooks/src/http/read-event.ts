// GET /v1/webhooks/events/{id}: one event with its data, and why each subscription has a delivery of it or has none.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { findEvent } from "../log/log.ts";
import type { Webhooks } from "./context.ts";

export function readEvent({ tenants }: Webhooks) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const event = await findEvent(tenants.of(principal.tenantId), id);
    if (event === null) throw notFound("event");
    return ok(event);
  };
}
