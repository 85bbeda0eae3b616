// DELETE /v1/me/sessions/{id}: signs the caller out elsewhere, or here; the session's tokens are refused at once.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import { endSession } from "../session/session-store.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";

export function endMySession(gateway: Gateway) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { principal, id } = request;
    const { tenantId, actor } = principal;
    await gateway.db.transaction().execute(async (tx) => {
      const wasOpen = await endSession(tx, { tenantId, userId: actor.id, id });
      if (!wasOpen) throw notFound("session");
      const target = { type: "user", id: actor.id };
      const changes = { sessionId: id };
      await recordAudit(tx, { action: "auth.logout", target, changes }, causeOf(gateway, request));
    });
    return ok({ id, ended: true }, NO_STORE);
  };
}
