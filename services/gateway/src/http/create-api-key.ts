// POST /v1/api-keys: creates an API key. Only this response shows its secret.
import { type ApiRequest, type ApiResponse, created } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { z } from "zod";
import { generateApiKey } from "../api-key/api-key.ts";
import type { apiKeyInput } from "../api-key/api-key-input.ts";
import { insertApiKey } from "../api-key/api-key-store.ts";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";

export function createApiKey(gateway: Gateway) {
  return async (request: ApiRequest<z.output<typeof apiKeyInput>, undefined>): Promise<ApiResponse> => {
    const { principal, body } = request;
    const { keyId, secretHash, key } = generateApiKey();
    const apiKey = await tenantOf(gateway.db, principal.tenantId).transaction(async (tx) => {
      const inserted = await insertApiKey(tx, {
        keyId,
        secretHash,
        label: body.label,
        scopes: body.scopes,
        expiresAt: body.expiresAt ?? null,
        createdBy: principal.actor.id,
      });
      const { id, label, scopes, expiresAt } = inserted;
      const changes = { keyId, label, scopes, expiresAt };
      const target = { type: "api_key", id };
      await recordAudit(tx, { action: "api_key.created", target, changes }, causeOf(gateway, request));
      return inserted;
    });
    return created({ ...apiKey, key }, `/v1/api-keys/${apiKey.id}`, NO_STORE);
  };
}
