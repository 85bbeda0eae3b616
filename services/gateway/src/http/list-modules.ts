// GET /v1/modules: the platform's modules, and which of them the tenant has active.
import { type Answer, type ApiRequest, ok } from "@tradepost/http";
import * as store from "../tenant/module-store.ts";
import type { Gateway } from "./context.ts";

export function listModules({ db }: Gateway) {
  return async ({ principal }: ApiRequest<undefined, undefined>): Promise<Answer> =>
    ok(await store.listModules(db, principal.tenantId));
}
