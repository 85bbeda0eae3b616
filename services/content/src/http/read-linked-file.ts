// GET /v1/media/{id}/links/file: serves the file of a signed link, as `read-media-file` does. The request has no credential:
// the gateway signs it without a tenant, and the link's own signature says which file may be read.
import { type ApiRequest, type ApiResponse, notFound } from "@tradepost/http";
import { servedFile } from "../media/file-response.ts";
import type { LinkQuery } from "../media/media-input.ts";
import { linkOf } from "../media/media-link.ts";
import { findMedia } from "../media/media-store.ts";
import { serveFile } from "../media/serve-file.ts";
import type { Content } from "./context.ts";

export function readLinkedFile({ tenants, storage, linkSecrets }: Content) {
  return async ({ id, query, raw }: ApiRequest<undefined, LinkQuery>): Promise<ApiResponse> => {
    const link = linkOf(raw.url ?? "", id, query, linkSecrets);
    const secondsLeft = link === null ? 0 : link.expiresAt - Date.now() / 1000;
    if (link === null || secondsLeft <= 0) throw notFound("media link");
    const media = await findMedia(tenants.of(link.tenantId), id);
    if (media === null || media.linksEndedCount !== link.linksEndedCount) throw notFound("media link");
    const file = servedFile(link.tenantId, media, link.variant);
    if (file === null) throw notFound("media link");
    return await serveFile(storage, file, raw, {
      "cache-control": `private, max-age=${Math.floor(secondsLeft)}, immutable`,
      // Pages of other sites show the file.
      "cross-origin-resource-policy": "cross-origin",
    });
  };
}
