// POST /v1/redirects: creates a redirect; `redirect.added`.
import type { ApiRequest } from "@tradepost/http";
import { withIdempotencyKey } from "@tradepost/idempotency";
import type { RedirectInput } from "../redirect/redirect-input.ts";
import * as store from "../redirect/redirect-store.ts";
import type { Content } from "./context.ts";

export function createRedirect({ tenants, onCommit }: Content) {
  return withIdempotencyKey(tenants, async (tenant, request: ApiRequest<RedirectInput, undefined>) => {
    const redirect = await store.createRedirect(tenant, request.body, request.idempotencyKey, request);
    onCommit();
    return store.createdResponse(redirect.id, redirect);
  });
}
