// GET /v1/modules: the platform's modules, and which of them the tenant has active.
import { type ApiRequest, type ApiResponse, ok } from "@tradepost/http";
import * as store from "../tenant/module-store.ts";
import type { Gateway } from "./context.ts";

export function listModules({ db }: Gateway) {
  return async ({ principal }: ApiRequest<undefined, undefined>): Promise<ApiResponse> =>
    ok(await store.listModules(db, principal.tenantId));
}
