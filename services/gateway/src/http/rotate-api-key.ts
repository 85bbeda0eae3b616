// POST /v1/api-keys/{id}/rotate: creates the successor of an API key. Both work until the overlap ends; then the old one has
// expired. Only this response shows the new secret.
import { type ApiRequest, created } from "@tradepost/http";
import type { z } from "zod";
import type { rotationInput } from "../api-key/api-key-input.ts";
import { rotateKey } from "../api-key/rotate-key.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";
import { idempotent, respondOnce } from "./idempotent.ts";

export function rotateApiKey(gateway: Gateway) {
  return idempotent(gateway, (tenant, request: ApiRequest<z.output<typeof rotationInput>, undefined>) =>
    tenant.transaction(async (tx) => {
      const { id, body } = request;
      const { key, apiKey } = await rotateKey(tx, id, body.overlapHours, causeOf(gateway, request));
      const data = { ...apiKey, key, rotatedFrom: id };
      const response = created(data, `/v1/api-keys/${apiKey.id}`, NO_STORE);
      return await respondOnce(tx, request, response, { key: null });
    }),
  );
}
