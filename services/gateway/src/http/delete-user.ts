// DELETE /v1/users/{id}: deletes a staff user with their sessions. Their audit entries remain.
import { type ApiRequest, type ApiResponse, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import * as staff from "../user/staff.ts";
import { causeOf, type Gateway } from "./context.ts";

export function deleteUser(gateway: Gateway) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const tenant = tenantOf(gateway.db, request.principal.tenantId);
    await staff.deleteUser(tenant, request.id, causeOf(gateway, request));
    return ok({ id: request.id, deleted: true });
  };
}
