// GET /v1/users: lists the tenant's staff users, newest first.
import { type ApiRequest, type ApiResponse, cursorPage, listed, type PageQuery } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { userResource } from "../user/user.ts";
import * as store from "../user/user-store.ts";
import type { Gateway } from "./context.ts";

export function listUsers({ db }: Gateway) {
  return async ({ principal, query }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> => {
    const rows = await store.listUsers(tenantOf(db, principal.tenantId), query);
    return listed(cursorPage(rows, query.limit, { shown: userResource }));
  };
}
