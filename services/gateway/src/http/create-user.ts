// POST /v1/users: creates a staff user with a first password, or with a set-up link, which only this response shows.
import { type ApiRequest, type ApiResponse, created } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { z } from "zod";
import * as staff from "../user/staff.ts";
import type { userInput } from "../user/user-input.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";

export function createUser(gateway: Gateway) {
  return async (request: ApiRequest<z.output<typeof userInput>, undefined>): Promise<ApiResponse> => {
    const tenant = tenantOf(gateway.db, request.principal.tenantId);
    const { user, setup } = await staff.createUser(tenant, request.body, causeOf(gateway, request));
    return created({ ...user, ...(setup !== null && { setup }) }, undefined, NO_STORE);
  };
}
