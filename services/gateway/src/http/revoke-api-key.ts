// DELETE /v1/api-keys/{id}: revokes the key; it stays listed, and the next request with it is refused.
import { type Answer, type ApiRequest, notFound, ok } from "@tradepost/http";
import * as store from "../api-key/api-key-store.ts";
import type { Gateway } from "./context.ts";

export function revokeApiKey({ db }: Gateway) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<Answer> => {
    const key = await store.revokeApiKey(db, principal.tenantId, id);
    if (key === null) throw notFound("API key");
    return ok(key);
  };
}
