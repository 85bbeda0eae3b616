// GET /v1/modules: lists the modules and whether each is active for the tenant.
import { type ApiRequest, type ApiResponse, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import * as store from "../tenant/module-store.ts";
import type { Gateway } from "./context.ts";

export function listModules({ db }: Gateway) {
  return async ({ principal }: ApiRequest<undefined, undefined>): Promise<ApiResponse> =>
    ok(await store.listModules(tenantOf(db, principal.tenantId)));
}
