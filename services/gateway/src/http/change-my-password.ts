// POST /v1/me/password: changes the caller's password and ends their other sessions.
import { type ApiRequest, ok } from "@tradepost/http";
import type { z } from "zod";
import { sessionIdOf } from "../identity/session-id-of.ts";
import { changeOwnPassword } from "../user/change-own-password.ts";
import type { passwordChangeInput } from "../user/user-input.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";
import { idempotent, respondOnce } from "./idempotent.ts";

export function changeMyPassword(gateway: Gateway) {
  const { signingKeys } = gateway;
  return idempotent(
    gateway,
    (tenant, request: ApiRequest<z.output<typeof passwordChangeInput>, undefined>) => {
      const change = { ...request.body, sessionId: sessionIdOf(request.raw, signingKeys) };
      return changeOwnPassword(tenant, gateway, change, causeOf(gateway, request), (tx, endedSessions) =>
        respondOnce(tx, request, ok({ endedSessions }, NO_STORE)),
      );
    },
    { isPerActor: true },
  );
}
