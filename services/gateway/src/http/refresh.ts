// POST /v1/auth/refresh: the refresh cookie for a new token; its secret is rotated, and one used twice ends the session.
import { ApiError, type ApiRequest, type ApiResponse } from "@tradepost/http";
import { clientOf } from "../client/client.ts";
import { refreshSession } from "../session/refresh-session.ts";
import { type Gateway, NO_STORE } from "./context.ts";
import { sessionResponse } from "./session-response.ts";

export function refresh(gateway: Gateway) {
  const { db, cookies, refreshSecrets, proxyHops } = gateway;
  return async ({ raw, requestId }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    gateway.noteProxy(raw);
    const given = cookies.readSession(raw);
    const client = clientOf(raw, proxyHops);
    const session = given && (await refreshSession(db, { ...given, client, requestId }, refreshSecrets));
    if (session === null) {
      const headers = { ...NO_STORE, "set-cookie": cookies.clearSession() };
      throw new ApiError("unauthorized", "Sign in again.", { headers });
    }
    return sessionResponse(session, gateway);
  };
}
