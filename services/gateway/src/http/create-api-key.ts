// POST /v1/api-keys: creates an API key. Only this response shows its secret.
import { type ApiRequest, created } from "@tradepost/http";
import type { z } from "zod";
import type { apiKeyInput } from "../api-key/api-key-input.ts";
import { createKey } from "../api-key/create-key.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";
import { idempotent, respondOnce } from "./idempotent.ts";

export function createApiKey(gateway: Gateway) {
  return idempotent(gateway, (tenant, request: ApiRequest<z.output<typeof apiKeyInput>, undefined>) =>
    tenant.transaction(async (tx) => {
      const { label, scopes, expiresAt = null } = request.body;
      const { key, apiKey } = await createKey(tx, { label, scopes, expiresAt }, causeOf(gateway, request));
      const response = created({ ...apiKey, key }, `/v1/api-keys/${apiKey.id}`, NO_STORE);
      return await respondOnce(tx, request, response, { key: null });
    }),
  );
}
