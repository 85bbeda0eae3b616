// DELETE /v1/redirects/{id}: gone for good, and `redirect.removed`.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import * as store from "../redirect/redirect-store.ts";
import type { Content } from "./context.ts";

export function removeRedirect({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const removed = await store.removeRedirect(tenants.of(request.principal.tenantId), request.id, request);
    if (removed === null) throw notFound("redirect");
    onCommit();
    return ok({ id: removed.id, deleted: true });
  };
}
