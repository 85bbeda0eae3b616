// POST /v1/users/{id}/setup-link: makes a one-time link with which the user sets a password. Only this response shows it.
import { type ApiRequest, type ApiResponse, created } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { makeSetupLink as makeLink } from "../user/make-setup-link.ts";
import { authorizeStaffChange } from "../user/user.ts";
import { causeOf, type Gateway, NO_STORE } from "./context.ts";

export function makeSetupLink(gateway: Gateway) {
  return async (request: ApiRequest<unknown, undefined>): Promise<ApiResponse> => {
    const { principal, id } = request;
    return await tenantOf(gateway.db, principal.tenantId).transaction(async (tx) => {
      const link = await makeLink(
        tx,
        id,
        (user) => authorizeStaffChange(principal.role, [user.role]),
        causeOf(gateway, request),
      );
      return created(link, undefined, NO_STORE);
    });
  };
}
