// POST /v1/users: creates a staff user with a first password, or with a set-up link, which only this response shows.
import { type ApiRequest, created } from "@tradepost/http";
import type { z } from "zod";
import * as staff from "../user/staff.ts";
import { userResource } from "../user/user.ts";
import type { userInput } from "../user/user-input.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";
import { idempotent, respondOnce } from "./idempotent.ts";

export function createUser(gateway: Gateway) {
  const { passwords, staffRefusals } = gateway;
  return idempotent(gateway, async (tenant, request: ApiRequest<z.output<typeof userInput>, undefined>) => {
    await staffRefusals.checkEmails(tenant.tenantId);
    const cause = causeOf(gateway, request);
    return await staff.createUser(tenant, passwords, request.body, cause, (tx, inserted, setup) => {
      const user = userResource(inserted);
      if (setup === null) return respondOnce(tx, request, created(user, undefined, NO_STORE));
      const response = created({ ...user, setup }, undefined, NO_STORE);
      return respondOnce(tx, request, response, { setup: { ...setup, token: null } });
    });
  });
}
