// PATCH /v1/users/{id}: name, role, active and password; a demotion holds from the user's next request on.
import { type ApiRequest, type ApiResponse, ok } from "@tradepost/http";
import * as staff from "../user/staff.ts";
import type { UserChange } from "../user/user.ts";
import { causeOf, type Gateway } from "./context.ts";

export function changeUser(gateway: Gateway) {
  return async (request: ApiRequest<UserChange, undefined>): Promise<ApiResponse> =>
    ok(await staff.changeUser(gateway.db, request.id, request.body, causeOf(gateway, request)));
}
