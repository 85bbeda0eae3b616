// POST /v1/me/password: a new password for whoever is signed in; all their other sessions end.
import { type ApiRequest, type ApiResponse, ok } from "@tradepost/http";
import type { z } from "zod";
import { sessionIdOf } from "../identity/session-id-of.ts";
import { changeOwnPassword } from "../user/change-own-password.ts";
import type { passwordChangeInput } from "../user/user-input.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";

export function changeMyPassword(gateway: Gateway) {
  return async (
    request: ApiRequest<z.output<typeof passwordChangeInput>, undefined>,
  ): Promise<ApiResponse> => {
    const change = { ...request.body, sessionId: sessionIdOf(request.raw, gateway.signingKeys) };
    const endedSessions = await changeOwnPassword(gateway, change, causeOf(gateway, request));
    return ok({ endedSessions }, NO_STORE);
  };
}
