// GET /v1/me/sessions: lists the caller's open sessions, newest first.
import { type ApiRequest, type ApiResponse, cursorPage, listed, type PageQuery } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { sessionIdOf } from "../identity/session-id-of.ts";
import { listSessions } from "../session/session-store.ts";
import { type Gateway, NO_STORE } from "./context.ts";

export function listMySessions({ db, signingKeys }: Gateway) {
  return async ({ principal, query, raw }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> => {
    const rows = await listSessions(tenantOf(db, principal.tenantId), principal.actor.id, query);
    const currentId = sessionIdOf(raw, signingKeys);
    const shown = (session: (typeof rows)[number]) => ({ ...session, current: session.id === currentId });
    return { ...listed(cursorPage(rows, query.limit, { shown })), headers: NO_STORE };
  };
}
