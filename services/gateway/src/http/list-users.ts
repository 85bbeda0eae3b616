// GET /v1/users: the tenant's staff, newest first.
import { type ApiRequest, type ApiResponse, cursorPage, listed, type PageQuery } from "@tradepost/http";
import * as store from "../user/user-store.ts";
import type { Gateway } from "./context.ts";

export function listUsers({ db }: Gateway) {
  return async ({ principal, query }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> =>
    listed(cursorPage(await store.listUsers(db, principal.tenantId, query), query.limit));
}
