// GET /v1/api-keys/{id}: reads one API key, without its secret.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { findApiKey } from "../api-key/api-key-store.ts";
import type { Gateway } from "./context.ts";

export function readApiKey({ db }: Gateway) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const key = await findApiKey(tenantOf(db, principal.tenantId), id);
    if (key === null) throw notFound("API key");
    return ok(key);
  };
}
