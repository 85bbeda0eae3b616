// POST /v1/users: creates a staff user with a first password, or with a set-up link, which only this response shows.
import { type ApiRequest, created } from "@tradepost/http";
import type { z } from "zod";
import * as staff from "../user/staff.ts";
import type { userInput } from "../user/user-input.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";
import { idempotent, respondOnce } from "./idempotent.ts";

export function createUser(gateway: Gateway) {
  return idempotent(gateway, (tenant, request: ApiRequest<z.output<typeof userInput>, undefined>) =>
    staff.createUser(
      tenant,
      gateway.passwords,
      request.body,
      causeOf(gateway, request),
      (tx, user, setup) => {
        if (setup === null) return respondOnce(tx, request, created(user, undefined, NO_STORE));
        const response = created({ ...user, setup }, undefined, NO_STORE);
        return respondOnce(tx, request, response, { setup: { ...setup, token: null } });
      },
    ),
  );
}
