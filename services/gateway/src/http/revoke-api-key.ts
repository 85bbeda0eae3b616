// DELETE /v1/api-keys/{id}: revokes the key; it stays listed, and the next request with it is refused.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import * as store from "../api-key/api-key-store.ts";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import { causeOf, type Gateway } from "./context.ts";

export function revokeApiKey(gateway: Gateway) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { principal, id } = request;
    const key = await gateway.db.transaction().execute(async (tx) => {
      const revoked = await store.revokeApiKey(tx, principal.tenantId, id);
      if (revoked?.isNews) {
        const changes = { keyId: revoked.key.keyId, label: revoked.key.label };
        await recordAudit(
          tx,
          { action: "api_key.revoked", target: { type: "api_key", id }, changes },
          causeOf(gateway, request),
        );
      }
      return revoked?.key;
    });
    if (key === undefined) throw notFound("API key");
    return ok(key);
  };
}
