// POST /v1/auth/refresh: the refresh cookie for a new token; its secret is rotated, and one used twice ends the session.
import { type Answer, ApiError, type ApiRequest } from "@tradepost/http";
import { forgetCookie, readCookie } from "../session/refresh-cookie.ts";
import { refreshSession } from "../session/session-store.ts";
import type { Gateway } from "./context.ts";
import { sessionAnswer } from "./session-answer.ts";

export function refresh(gateway: Gateway) {
  return async ({ raw }: ApiRequest<undefined, undefined>): Promise<Answer> => {
    const given = readCookie(raw);
    const session = given && (await refreshSession(gateway.db, given));
    if (session === null) {
      throw new ApiError("unauthorized", "Sign in again.", { headers: { "set-cookie": forgetCookie(raw) } });
    }
    return sessionAnswer(session, gateway, raw);
  };
}
