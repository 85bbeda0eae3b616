// GET /v1/redirects: lists the tenant's redirects, newest first, or the one from a path.
import { type ApiRequest, type ApiResponse, cursorPage, listed } from "@tradepost/http";
import type { RedirectsQuery } from "../redirect/redirect-input.ts";
import * as store from "../redirect/redirect-store.ts";
import type { Content } from "./context.ts";

export function listRedirects({ tenants }: Content) {
  return async ({ principal, query }: ApiRequest<undefined, RedirectsQuery>): Promise<ApiResponse> =>
    listed(cursorPage(await store.listRedirects(tenants.of(principal.tenantId), query), query.limit));
}
