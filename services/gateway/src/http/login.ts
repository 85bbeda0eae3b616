// POST /v1/auth/login: e-mail and password for a short-lived token and a refresh cookie.
import { type Answer, ApiError, type ApiRequest } from "@tradepost/http";
import { z } from "zod";
import { signDashboardToken } from "../session/dashboard-token.ts";
import { openSession, SESSION_DAYS } from "../session/session-store.ts";
import { isPasswordRight } from "../user/password.ts";
import { findUserByEmail } from "../user/user-store.ts";
import type { Gateway } from "./context.ts";

export const loginInput = z.strictObject({ email: z.string().max(320), password: z.string().max(1_024) });

export function login({ db, signingKeys }: Gateway) {
  return async ({ body, raw }: ApiRequest<z.output<typeof loginInput>, undefined>): Promise<Answer> => {
    const user = await findUserByEmail(db, body.email);
    const isRight = await isPasswordRight(body.password, user?.passwordHash ?? null);
    if (user === null || !isRight || !user.active) {
      throw new ApiError("unauthorized", "The e-mail or the password is wrong.");
    }
    const session = await openSession(db, user);
    const { token, expiresAt } = signDashboardToken(
      { userId: user.id, tenantId: user.tenantId, sessionId: session.id },
      signingKeys,
    );
    const { passwordHash: _, tenantId: __, ...shown } = user;
    return {
      status: 200,
      headers: {
        "set-cookie": refreshCookie(`${session.id}.${session.refreshSecret}`, isLoopback(raw.headers.host)),
        "cache-control": "no-store",
      },
      body: { success: true, data: { token, expiresAt, user: shown } },
    };
  };
}

function refreshCookie(value: string, isOnLoopback: boolean): string {
  const attributes = ["Path=/v1/auth", "HttpOnly", "SameSite=Strict", `Max-Age=${SESSION_DAYS * 24 * 3600}`];
  return [`tradepost_refresh=${value}`, ...attributes, ...(isOnLoopback ? [] : ["Secure"])].join("; ");
}

// A browser keeps no Secure cookie from http://localhost everywhere; there it never leaves the machine.
function isLoopback(host: string | undefined): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/.test(host ?? "");
}
