// DELETE /v1/users/{id}/sessions: ends all sessions of a user. Their tokens are refused from the next request on.
import { type ApiRequest, type ApiResponse, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import * as store from "../session/session-store.ts";
import { findManagedUser } from "../user/staff.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";

export function endUserSessions(gateway: Gateway) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { principal, id } = request;
    return await tenantOf(gateway.db, principal.tenantId).transaction(async (tx) => {
      await findManagedUser(tx, id, principal.role);
      const endedCount = await store.endUserSessions(tx, id);
      if (endedCount > 0) {
        const target = { type: "user", id };
        const changes = { endedCount };
        await recordAudit(tx, { action: "user.sessions_ended", target, changes }, causeOf(gateway, request));
      }
      return ok({ endedSessions: endedCount }, NO_STORE);
    });
  };
}
