// What a sign-in and a refresh answer: a fresh dashboard token, and the cookie that the next refresh needs.
import type { IncomingMessage } from "node:http";
import type { Answer } from "@tradepost/http";
import { signDashboardToken } from "../session/dashboard-token.ts";
import { keepCookie } from "../session/refresh-cookie.ts";
import type { RefreshedSession } from "../session/session-store.ts";
import type { Gateway } from "./context.ts";

export function sessionAnswer(
  session: RefreshedSession,
  { signingKeys }: Pick<Gateway, "signingKeys">,
  req: IncomingMessage,
  more: Record<string, unknown> = {},
): Answer {
  const { userId, tenantId, id: sessionId } = session;
  const { token, expiresAt } = signDashboardToken({ userId, tenantId, sessionId }, signingKeys);
  return {
    status: 200,
    headers: { "set-cookie": keepCookie(session, req), "cache-control": "no-store" },
    body: { success: true, data: { token, expiresAt, ...more } },
  };
}
