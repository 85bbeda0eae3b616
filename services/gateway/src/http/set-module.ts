// PUT /v1/modules/{name}: switches a module on or off, from the next request on.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { z } from "zod";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import type { moduleInput } from "../tenant/module-input.ts";
import { moduleNames } from "../tenant/module-name.ts";
import * as store from "../tenant/module-store.ts";
import { causeOf, type Gateway } from "./context.ts";

export function setModule(gateway: Gateway) {
  return async (request: ApiRequest<z.output<typeof moduleInput>, undefined>): Promise<ApiResponse> => {
    const { active } = request.body;
    const name = moduleNames.find((known) => known === request.params.name);
    if (name === undefined) throw notFound("module");
    await tenantOf(gateway.db, request.principal.tenantId).transaction(async (tx) => {
      const hasChanged = await store.setModule(tx, name, active);
      if (!hasChanged) return;
      const entry = { action: "module.updated", target: { type: "module", id: name }, changes: { active } };
      await recordAudit(tx, entry, causeOf(gateway, request));
    });
    return ok({ name, active });
  };
}
