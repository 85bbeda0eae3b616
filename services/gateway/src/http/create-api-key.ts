// POST /v1/api-keys: creates an API key. Only this response shows its secret.
import { type ApiRequest, type ApiResponse, created } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { z } from "zod";
import type { apiKeyInput } from "../api-key/api-key-input.ts";
import { createKey } from "../api-key/create-key.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";

export function createApiKey(gateway: Gateway) {
  return async (request: ApiRequest<z.output<typeof apiKeyInput>, undefined>): Promise<ApiResponse> => {
    const { principal, body } = request;
    const input = { label: body.label, scopes: body.scopes, expiresAt: body.expiresAt ?? null };
    return await tenantOf(gateway.db, principal.tenantId).transaction(async (tx) => {
      const { key, apiKey } = await createKey(tx, input, causeOf(gateway, request));
      return created({ ...apiKey, key }, `/v1/api-keys/${apiKey.id}`, NO_STORE);
    });
  };
}
