// PUT /v1/modules/{name}: switches a module on or off; it takes effect on the next request.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import type { z } from "zod";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import type { moduleInput } from "../tenant/module-input.ts";
import * as store from "../tenant/module-store.ts";
import { moduleNames } from "../tenant/tenant-store.ts";
import { causeOf, type Gateway } from "./context.ts";

export function setModule(gateway: Gateway) {
  return async (request: ApiRequest<z.output<typeof moduleInput>, undefined>): Promise<ApiResponse> => {
    const { tenantId } = request.principal;
    const { active } = request.body;
    const name = moduleNames.find((known) => known === request.params.name);
    if (name === undefined) throw notFound("module");
    await gateway.db.transaction().execute(async (tx) => {
      const hasChanged = await store.setModule(tx, tenantId, name, active);
      if (!hasChanged) return;
      const target = { type: "module", id: name };
      await recordAudit(
        tx,
        { action: "module.updated", target, changes: { active } },
        causeOf(gateway, request),
      );
    });
    return ok({ name, active });
  };
}
