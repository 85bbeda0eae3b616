// POST /v1/auth/login: signs in by e-mail and password. Responds with a short-lived token, a refresh and a device cookie.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import type { z } from "zod";
import { clientOf } from "../client/client.ts";
import { signIn } from "../user/sign-in.ts";
import { userResource } from "../user/user.ts";
import type { loginInput } from "../user/user-input.ts";
import type { Gateway } from "./context.ts";
import { sessionResponse } from "./session-response.ts";

export function login(gateway: Gateway) {
  return async (request: ApiRequest<z.output<typeof loginInput>, undefined>): Promise<ApiResponse> => {
    const { body, raw, requestId } = request;
    gateway.checkProxyHeader(raw);
    const { user, session } = await signIn(gateway, {
      ...body,
      requestId,
      client: clientOf(raw, gateway.proxyHops),
      isKnownDevice: (userId) => gateway.cookies.isKnownDevice(raw, userId),
    });
    const { passwordHash: _, tenantId, ...shown } = user;
    return sessionResponse({ ...session, tenantId, userId: user.id }, gateway, {
      cookies: [gateway.cookies.setDevice(raw, user.id)],
      data: { user: userResource(shown) },
    });
  };
}
