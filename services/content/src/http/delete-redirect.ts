// DELETE /v1/redirects/{id}: deletes a redirect; `redirect.removed`.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import * as store from "../redirect/redirect-store.ts";
import type { Content } from "./context.ts";

export function deleteRedirect({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { id, principal } = request;
    const isDeleted = await store.deleteRedirect(tenants.of(principal.tenantId), id, request);
    if (!isDeleted) throw notFound("redirect");
    onCommit();
    return ok({ id, deleted: true });
  };
}
