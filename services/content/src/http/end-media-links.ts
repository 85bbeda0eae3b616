// DELETE /v1/media/{id}/links: ends all links to the asset's files. Links that are made later work.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import * as store from "../media/media-store.ts";
import type { Content } from "./context.ts";

export function endMediaLinks({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { id, principal } = request;
    const isEnded = await store.endMediaLinks(tenants.of(principal.tenantId), id, request);
    if (!isEnded) throw notFound("media");
    onCommit();
    return ok({ id, linksEnded: true });
  };
}
