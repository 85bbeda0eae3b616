// GET /v1/media/{id}/file?variant=: streams a file or a range of it, or responds with 304 if the client has it.
import { type ApiRequest, type ApiResponse, notFound } from "@tradepost/http";
import { servedFile } from "../media/file-response.ts";
import type { FileQuery } from "../media/media-input.ts";
import { findMedia } from "../media/media-store.ts";
import { serveFile } from "../media/serve-file.ts";
import type { Content } from "./context.ts";

export function readMediaFile({ tenants, storage }: Content) {
  return async ({ principal, id, query, raw }: ApiRequest<undefined, FileQuery>): Promise<ApiResponse> => {
    const media = await findMedia(tenants.of(principal.tenantId), id);
    if (media === null) throw notFound("media");
    const file = servedFile(principal.tenantId, media, query.variant);
    if (file === null) throw notFound("variant of this media");
    return await serveFile(storage, file, raw);
  };
}
