// POST /v1/auth/refresh: exchanges the refresh cookie for a new token and a new cookie. A reused cookie ends the session.
import { ApiError, type ApiRequest, type ApiResponse } from "@tradepost/http";
import { clientOf } from "../client/client.ts";
import { refreshSession } from "../session/refresh-session.ts";
import { type Gateway, NO_STORE } from "./context.ts";
import { sessionResponse } from "./session-response.ts";

export function refreshToken(gateway: Gateway) {
  const { db, cookies, refreshSecrets, proxyHops } = gateway;
  return async ({ raw, requestId }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    gateway.checkProxyHeader(raw);
    const presented = cookies.readSession(raw);
    const client = clientOf(raw, proxyHops);
    const session =
      presented && (await refreshSession(db, { ...presented, client, requestId }, refreshSecrets));
    if (session === null) {
      gateway.countAuthFailure("refresh");
      const [cleared] = cookies.clearSession(raw);
      const headers = { ...NO_STORE, ...(cleared !== undefined && { "set-cookie": cleared }) };
      throw new ApiError("unauthorized", "Sign in again.", { headers });
    }
    return sessionResponse(session, gateway);
  };
}
