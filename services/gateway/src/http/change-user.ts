// PATCH /v1/users/{id}: changes name, role, active and password. A new role takes effect on the user's next request.
import { type ApiRequest, type ApiResponse, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import * as staff from "../user/staff.ts";
import { type UserChange, userResource } from "../user/user.ts";
import { causeOf, type Gateway } from "./context.ts";

export function changeUser(gateway: Gateway) {
  return async (request: ApiRequest<UserChange, undefined>): Promise<ApiResponse> => {
    const tenant = tenantOf(gateway.db, request.principal.tenantId);
    const cause = causeOf(gateway, request);
    return ok(
      userResource(await staff.changeUser(tenant, gateway.passwords, request.id, request.body, cause)),
    );
  };
}
