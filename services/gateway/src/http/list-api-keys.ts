// GET /v1/api-keys: lists the tenant's API keys, newest first, without secrets.
import { type ApiRequest, type ApiResponse, cursorPage, listed, type PageQuery } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import * as store from "../api-key/api-key-store.ts";
import type { Gateway } from "./context.ts";

export function listApiKeys({ db }: Gateway) {
  return async ({ principal, query }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> => {
    const rows = await store.listApiKeys(tenantOf(db, principal.tenantId), query);
    return listed(cursorPage(rows, query.limit));
  };
}
