// POST /v1/auth/logout: ends the session of the refresh cookie; its tokens are refused from the next request on.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import { clientOf } from "../client/client.ts";
import { signOut } from "../session/refresh-session.ts";
import { type Gateway, NO_STORE } from "./context.ts";

/** Without a session there is nothing to end, and the response is the same. */
export function logout(gateway: Gateway) {
  const { db, cookies, proxyHops } = gateway;
  return async ({ raw, requestId }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    gateway.noteProxy(raw);
    const given = cookies.readSession(raw);
    if (given !== null) await signOut(db, { ...given, client: clientOf(raw, proxyHops), requestId });
    return {
      status: 200,
      headers: NO_STORE,
      cookies: [cookies.clearSession()],
      body: { success: true, data: { signedOut: true } },
    };
  };
}
