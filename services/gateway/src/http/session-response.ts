// The response to a sign-in and to a refresh: a new dashboard token, and the cookie for the next refresh.
import type { ApiResponse } from "@tradepost/http";
import { signDashboardToken } from "../session/dashboard-token.ts";
import type { OpenedSession, OwnedSession } from "../session/session-store.ts";
import { type Gateway, NO_STORE } from "./context.ts";

export function sessionResponse(
  session: OpenedSession & Pick<OwnedSession, "tenantId" | "userId">,
  { signingKeys, cookies }: Pick<Gateway, "signingKeys" | "cookies">,
  extra: { readonly cookies?: readonly string[]; readonly data?: Record<string, unknown> } = {},
): ApiResponse {
  const { userId, tenantId, id: sessionId } = session;
  const { token, expiresAt } = signDashboardToken({ userId, tenantId, sessionId }, signingKeys);
  return {
    status: 200,
    headers: NO_STORE,
    cookies: [...cookies.setSession(session), ...(extra.cookies ?? [])],
    body: { success: true, data: { token, expiresAt, ...extra.data } },
  };
}
