// GET /v1/redirects/resolve?path=: where a path leads, for whoever serves the site. One look-up.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { z } from "zod";
import { sitePath } from "../redirect/redirect-input.ts";
import { findRedirectFrom } from "../redirect/redirect-store.ts";
import type { Content } from "./context.ts";

export const resolveQuery = z.strictObject({ path: sitePath });

export function resolveRedirect({ tenants }: Content) {
  return async ({
    principal,
    query,
  }: ApiRequest<undefined, z.output<typeof resolveQuery>>): Promise<ApiResponse> => {
    const redirect = await findRedirectFrom(tenants.of(principal.tenantId), query.path);
    if (redirect === null) throw notFound("redirect from this path");
    return ok(redirect);
  };
}
