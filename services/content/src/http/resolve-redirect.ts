// GET /v1/redirects/resolve?path=: reads the redirect from a path, for the server of the site. One lookup.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import type { ResolveQuery } from "../redirect/redirect-input.ts";
import { findRedirectFrom } from "../redirect/redirect-store.ts";
import type { Content } from "./context.ts";

export function resolveRedirect({ tenants }: Content) {
  return async ({ principal, query }: ApiRequest<undefined, ResolveQuery>): Promise<ApiResponse> => {
    const redirect = await findRedirectFrom(tenants.of(principal.tenantId), query.path);
    if (redirect === null) throw notFound("redirect from this path");
    return ok(redirect);
  };
}
