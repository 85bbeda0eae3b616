// GET /v1/me: describes the caller and the caller's tenant.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { findTenant } from "../tenant/tenant-store.ts";
import type { Gateway } from "./context.ts";

export function readMe({ db }: Gateway) {
  return async ({ principal }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const tenant = await findTenant(tenantOf(db, principal.tenantId));
    if (tenant === null) throw notFound("tenant");
    const { id, slug, name, modules } = tenant;
    const { actor, role, scopes } = principal;
    return ok({
      actor: { type: actor.type, id: actor.id, name: actor.name, role, scopes },
      tenant: { id, slug, name, modules },
    });
  };
}
