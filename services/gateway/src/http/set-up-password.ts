// POST /v1/auth/setup: sets a password with a one-time link. The user then signs in with it.
import { type ApiRequest, type ApiResponse, ok } from "@tradepost/http";
import type { z } from "zod";
import { clientOf } from "../client/client.ts";
import { setUpPassword as setUp } from "../user/set-up-password.ts";
import { userResource } from "../user/user.ts";
import type { setupInput } from "../user/user-input.ts";
import { type Gateway, NO_STORE } from "./context.ts";

export function setUpPassword(gateway: Gateway) {
  return async (request: ApiRequest<z.output<typeof setupInput>, undefined>): Promise<ApiResponse> => {
    const { body, raw, requestId } = request;
    gateway.checkProxyHeader(raw);
    const client = clientOf(raw, gateway.proxyHops);
    return ok(userResource(await setUp(gateway, { ...body, client, requestId })), NO_STORE);
  };
}
