// POST /v1/auth/logout: ends the session of the refresh cookie; its tokens are refused from the next request on.
import type { Answer, ApiRequest } from "@tradepost/http";
import { forgetCookie, readCookie } from "../session/refresh-cookie.ts";
import { endSession } from "../session/session-store.ts";
import type { Gateway } from "./context.ts";

/** Without a session there is nothing to end, and the answer is the same. */
export function logout({ db }: Gateway) {
  return async ({ raw }: ApiRequest<undefined, undefined>): Promise<Answer> => {
    const session = readCookie(raw);
    if (session !== null) await endSession(db, session);
    return {
      status: 200,
      headers: { "set-cookie": forgetCookie(raw) },
      body: { success: true, data: { signedOut: true } },
    };
  };
}
