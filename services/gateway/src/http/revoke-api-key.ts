// DELETE /v1/api-keys/{id}: revokes a key. It is refused from the next request on, and still listed.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import * as store from "../api-key/api-key-store.ts";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import { causeOf, type Gateway } from "./context.ts";

export function revokeApiKey(gateway: Gateway) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { principal, id } = request;
    const key = await tenantOf(gateway.db, principal.tenantId).transaction(async (tx) => {
      const revoked = await store.revokeApiKey(tx, id);
      if (revoked?.hasChanged) {
        const changes = { keyId: revoked.key.keyId, label: revoked.key.label };
        const target = { type: "api_key", id };
        await recordAudit(tx, { action: "api_key.revoked", target, changes }, causeOf(gateway, request));
      }
      return revoked?.key;
    });
    if (key === undefined) throw notFound("API key");
    return ok(key);
  };
}
