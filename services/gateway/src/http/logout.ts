// POST /v1/auth/logout: ends the session of the refresh cookie. Its tokens are refused from the next request on.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import { clientOf } from "../client/client.ts";
import { signOut } from "../session/refresh-session.ts";
import { type Gateway, NO_STORE } from "./context.ts";

/** The response is the same if there is no session to end. */
export function logout(gateway: Gateway) {
  const { db, cookies, proxyHops } = gateway;
  return async ({ raw, requestId }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    gateway.checkProxyHeader(raw);
    const session = cookies.readSession(raw);
    if (session !== null) await signOut(db, { ...session, client: clientOf(raw, proxyHops), requestId });
    return {
      status: 200,
      headers: NO_STORE,
      cookies: cookies.clearSession(raw),
      body: { success: true, data: { signedOut: true } },
    };
  };
}
