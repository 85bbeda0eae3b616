// DELETE /v1/me/sessions/{id}: ends one of the caller's sessions. Its tokens are refused from the next request on.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import { endSession } from "../session/session-store.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";

export function endMySession(gateway: Gateway) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { principal, id } = request;
    const { tenantId, actor } = principal;
    await tenantOf(gateway.db, tenantId).transaction(async (tx) => {
      const wasOpen = await endSession(tx, { userId: actor.id, id });
      if (!wasOpen) throw notFound("session");
      const target = { type: "user", id: actor.id };
      const changes = { sessionId: id };
      await recordAudit(tx, { action: "auth.logout", target, changes }, causeOf(gateway, request));
    });
    return ok({ id, ended: true }, NO_STORE);
  };
}
