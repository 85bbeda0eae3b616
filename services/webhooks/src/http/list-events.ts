// GET /v1/webhooks/events: the events that could be subscribed to, with what was delivered of each.
import { type ApiRequest, type ApiResponse, listed } from "@tradepost/http";
import type { EventsQuery } from "../log/log.ts";
import * as store from "../log/log.ts";
import type { Webhooks } from "./context.ts";

export function listEvents({ tenants }: Webhooks) {
  return async ({ principal, query }: ApiRequest<undefined, EventsQuery>): Promise<ApiResponse> =>
    listed(await store.listEvents(tenants.of(principal.tenantId), query));
}
