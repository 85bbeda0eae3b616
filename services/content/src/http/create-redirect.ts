// POST /v1/redirects: creates a redirect; `redirect.added`.
import { type ApiRequest, type ApiResponse, created } from "@tradepost/http";
import type { RedirectInput } from "../redirect/redirect-input.ts";
import * as store from "../redirect/redirect-store.ts";
import type { Content } from "./context.ts";

export function createRedirect({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<RedirectInput, undefined>): Promise<ApiResponse> => {
    const redirect = await store.createRedirect(
      tenants.of(request.principal.tenantId),
      request.body,
      request,
    );
    onCommit();
    return created(redirect, `/v1/redirects/${redirect.id}`);
  };
}
