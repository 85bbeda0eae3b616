// GET /v1/media/{id}: reads an asset, without its bytes.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { mediaResource } from "../media/media.ts";
import { findMedia } from "../media/media-store.ts";
import type { Content } from "./context.ts";

export function readMedia({ tenants }: Content) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const media = await findMedia(tenants.of(principal.tenantId), id);
    if (media === null) throw notFound("media");
    return ok(mediaResource(media));
  };
}
