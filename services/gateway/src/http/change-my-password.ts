// POST /v1/me/password: changes the caller's password and ends their other sessions.
import { type ApiRequest, type ApiResponse, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { z } from "zod";
import { sessionIdOf } from "../identity/session-id-of.ts";
import { changeOwnPassword } from "../user/change-own-password.ts";
import type { passwordChangeInput } from "../user/user-input.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";

export function changeMyPassword(gateway: Gateway) {
  const { db, signInLimit, signingKeys } = gateway;
  return async (
    request: ApiRequest<z.output<typeof passwordChangeInput>, undefined>,
  ): Promise<ApiResponse> => {
    const tenant = tenantOf(db, request.principal.tenantId);
    const change = { ...request.body, sessionId: sessionIdOf(request.raw, signingKeys) };
    const endedSessions = await changeOwnPassword(tenant, signInLimit, change, causeOf(gateway, request));
    return ok({ endedSessions }, NO_STORE);
  };
}
