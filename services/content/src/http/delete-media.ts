// DELETE /v1/media/{id}: deletes an asset and its files; `media.deleted`.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import * as store from "../media/media-store.ts";
import type { Content } from "./context.ts";

export function deleteMedia({ tenants, onCommit, onLeftovers }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { id, principal } = request;
    const isDeleted = await store.deleteMedia(tenants.of(principal.tenantId), id, request);
    if (!isDeleted) throw notFound("media");
    onCommit();
    onLeftovers();
    return ok({ id, deleted: true });
  };
}
