// GET /v1/redirects: lists the tenant's redirects, newest first.
import { type ApiRequest, type ApiResponse, cursorPage, listed, type PageQuery } from "@tradepost/http";
import * as store from "../redirect/redirect-store.ts";
import type { Content } from "./context.ts";

export function listRedirects({ tenants }: Content) {
  return async ({ principal, query }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> =>
    listed(cursorPage(await store.listRedirects(tenants.of(principal.tenantId), query), query.limit));
}
