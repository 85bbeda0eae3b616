// GET /v1/users/{id}/sessions: lists a user's open sessions, newest first.
import { type ApiRequest, type ApiResponse, cursorPage, listed, type PageQuery } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { listSessions } from "../session/session-store.ts";
import { findManagedUser } from "../user/staff.ts";
import { type Gateway, NO_STORE } from "./context.ts";

export function listUserSessions({ db }: Gateway) {
  return async ({ principal, query, id }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> => {
    const tenant = tenantOf(db, principal.tenantId);
    await findManagedUser(tenant, id, principal.role);
    const rows = await listSessions(tenant, id, query);
    return { ...listed(cursorPage(rows, query.limit)), headers: NO_STORE };
  };
}
