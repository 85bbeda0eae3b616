// GET /v1/media: lists the tenant's assets, newest first.
import { type ApiRequest, type ApiResponse, cursorPage, listed, type PageQuery } from "@tradepost/http";
import { mediaResource } from "../media/media.ts";
import * as store from "../media/media-store.ts";
import type { Content } from "./context.ts";

export function listMedia({ tenants }: Content) {
  return async ({ principal, query }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> => {
    const rows = await store.listMedia(tenants.of(principal.tenantId), query);
    return listed(cursorPage(rows, query.limit, { shown: mediaResource }));
  };
}
