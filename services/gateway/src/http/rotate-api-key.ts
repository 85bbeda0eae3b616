// POST /v1/api-keys/{id}/rotate: creates the successor of an API key. Both work until the overlap ends; then the old one has
// expired. Only this response shows the new secret.
import { type ApiRequest, type ApiResponse, created } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { z } from "zod";
import type { rotationInput } from "../api-key/api-key-input.ts";
import { rotateKey } from "../api-key/rotate-key.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";

export function rotateApiKey(gateway: Gateway) {
  return async (request: ApiRequest<z.output<typeof rotationInput>, undefined>): Promise<ApiResponse> => {
    const { principal, id, body } = request;
    return await tenantOf(gateway.db, principal.tenantId).transaction(async (tx) => {
      const { key, apiKey } = await rotateKey(tx, id, body.overlapHours, causeOf(gateway, request));
      return created({ ...apiKey, key, rotatedFrom: id }, `/v1/api-keys/${apiKey.id}`, NO_STORE);
    });
  };
}
