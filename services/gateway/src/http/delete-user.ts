// DELETE /v1/users/{id}: gone for good, sessions included; the audit log keeps what they did.
import { type ApiRequest, type ApiResponse, ok } from "@tradepost/http";
import * as staff from "../user/staff.ts";
import { causeOf, type Gateway } from "./context.ts";

export function deleteUser(gateway: Gateway) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    await staff.deleteUser(gateway.db, request.id, causeOf(gateway, request));
    return ok({ id: request.id, deleted: true });
  };
}
