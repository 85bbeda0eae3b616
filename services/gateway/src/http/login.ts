// POST /v1/auth/login: e-mail and password for a short-lived token and a refresh cookie.
import { type Answer, ApiError, type ApiRequest } from "@tradepost/http";
import { z } from "zod";
import { recordAudit } from "../audit-log/audit-log-store.ts";
import { openSession } from "../session/session-store.ts";
import { isPasswordRight } from "../user/password.ts";
import { findUserByEmail, type UserWithPassword } from "../user/user-store.ts";
import { clientAddress } from "./client-address.ts";
import type { Gateway } from "./context.ts";
import { sessionAnswer } from "./session-answer.ts";

export const loginInput = z.strictObject({ email: z.string().max(320), password: z.string().max(1_024) });

export function login(gateway: Gateway) {
  const { db, signInLimit, proxyHops } = gateway;
  return async (request: ApiRequest<z.output<typeof loginInput>, undefined>): Promise<Answer> => {
    const { body, raw } = request;
    const address = clientAddress(raw, proxyHops);
    await signInLimit.begin(body.email, address);
    const user = await findUserByEmail(db, body.email);
    const isRight = await isPasswordRight(body.password, user?.passwordHash ?? null);
    if (user === null || !isRight || !user.active) {
      if (user !== null) await recordSignIn(gateway, "auth.login_failed", user, request.requestId);
      throw new ApiError("unauthorized", "The e-mail or the password is wrong.");
    }
    await signInLimit.succeeded(body.email, address);
    const session = await db.transaction().execute(async (tx) => {
      await recordSignIn({ db: tx }, "auth.login", user, request.requestId);
      return await openSession(tx, user);
    });
    const { passwordHash: _, tenantId, ...shown } = user;
    return sessionAnswer({ ...session, tenantId, userId: user.id }, gateway, raw, { user: shown });
  };
}

async function recordSignIn(
  { db }: Pick<Gateway, "db">,
  action: "auth.login" | "auth.login_failed",
  user: UserWithPassword,
  requestId: string,
): Promise<void> {
  const actor = { type: "user" as const, id: user.id, name: user.name };
  const target = { type: "user", id: user.id };
  await recordAudit(
    db,
    { action, target, changes: {} },
    { principal: { tenantId: user.tenantId, actor }, requestId },
  );
}
