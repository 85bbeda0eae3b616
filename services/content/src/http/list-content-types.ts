// GET /v1/content-types: lists the tenant's content types, newest first.
import { type ApiRequest, type ApiResponse, cursorPage, listed, type PageQuery } from "@tradepost/http";
import * as store from "../content-type/content-type-store.ts";
import type { Content } from "./context.ts";

export function listContentTypes({ tenants }: Content) {
  return async ({ principal, query }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> => {
    const rows = await store.listContentTypes(tenants.of(principal.tenantId), query);
    return listed(cursorPage(rows, query.limit, { shown: ({ contentType }) => contentType }));
  };
}
