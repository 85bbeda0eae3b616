// POST /v1/users: a new member of staff, with a first password.
import { type ApiRequest, type ApiResponse, created } from "@tradepost/http";
import type { z } from "zod";
import * as staff from "../user/staff.ts";
import type { userInput } from "../user/user-input.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";

export function createUser(gateway: Gateway) {
  return async (request: ApiRequest<z.output<typeof userInput>, undefined>): Promise<ApiResponse> =>
    created(await staff.createUser(gateway.db, request.body, causeOf(gateway, request)), undefined, NO_STORE);
}
