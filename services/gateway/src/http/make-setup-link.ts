// POST /v1/users/{id}/setup-link: makes a one-time link with which the user sets a password. Only this response shows it.
import { type ApiRequest, created } from "@tradepost/http";
import { makeSetupLink as makeLink } from "../user/make-setup-link.ts";
import { authorizeStaffChange, type User } from "../user/user.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";
import { idempotent, respondOnce } from "./idempotent.ts";

export function makeSetupLink(gateway: Gateway) {
  return idempotent(gateway, (tenant, request: ApiRequest<unknown, undefined>) =>
    tenant.transaction(async (tx) => {
      const authorize = ({ role }: User) => authorizeStaffChange(request.principal.role, [role]);
      const link = await makeLink(tx, request.id, authorize, causeOf(gateway, request));
      return await respondOnce(tx, request, created(link, undefined, NO_STORE), { token: null });
    }),
  );
}
