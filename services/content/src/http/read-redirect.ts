// GET /v1/redirects/{id}: reads a redirect.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { findRedirect } from "../redirect/redirect-store.ts";
import type { Content } from "./context.ts";

export function readRedirect({ tenants }: Content) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const redirect = await findRedirect(tenants.of(principal.tenantId), id);
    if (redirect === null) throw notFound("redirect");
    return ok(redirect);
  };
}
