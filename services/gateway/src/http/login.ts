// POST /v1/auth/login: e-mail and password for a short-lived token, a refresh cookie and a device cookie.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import { z } from "zod";
import { clientOf } from "../client/client.ts";
import { signIn } from "../user/sign-in.ts";
import type { Gateway } from "./context.ts";
import { sessionAnswer } from "./session-answer.ts";

export const loginInput = z.strictObject({ email: z.string().max(320), password: z.string().max(1_024) });

export function login(gateway: Gateway) {
  return async (request: ApiRequest<z.output<typeof loginInput>, undefined>): Promise<ApiResponse> => {
    const { body, raw, requestId } = request;
    gateway.noteProxy(raw);
    const { user, session } = await signIn(gateway, {
      ...body,
      requestId,
      client: clientOf(raw, gateway.proxyHops),
      isDeviceOf: (userId) => gateway.cookies.isDeviceOf(raw, userId),
    });
    const { passwordHash: _, tenantId, ...shown } = user;
    return sessionAnswer({ ...session, tenantId, userId: user.id }, gateway, {
      cookies: [gateway.cookies.keepDevice(raw, user.id)],
      data: { user: shown },
    });
  };
}
