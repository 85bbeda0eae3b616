// DELETE /v1/media/{id}: gone for good with its files, and `media.deleted`.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import * as store from "../media/media-store.ts";
import type { Content } from "./context.ts";

export function removeMedia({ tenants, onCommit, onLeftovers }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const isRemoved = await store.removeMedia(tenants.of(request.principal.tenantId), request.id, request);
    if (!isRemoved) throw notFound("media");
    onCommit();
    onLeftovers();
    return ok({ id: request.id, deleted: true });
  };
}
