// POST /v1/media/{id}/links: makes a signed link to a file, which needs no credential until it expires.
import { type ApiRequest, created, notFound } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { servedFile } from "../media/file-response.ts";
import type { LinkInput } from "../media/media-input.ts";
import { signedPath } from "../media/media-link.ts";
import { findMedia } from "../media/media-store.ts";
import type { Content } from "./context.ts";

export function createMediaLink({ tenants, linkSecrets }: Content) {
  return withIdempotencyKey(tenants, async (tenant, request: ApiRequest<LinkInput, undefined>) => {
    const { id, body, idempotencyKey } = request;
    const { variant, expiresInSeconds } = body;
    const media = await findMedia(tenant, id);
    if (media === null) throw notFound("media");
    if (servedFile(tenant.tenantId, media, variant) === null) throw notFound("variant of this media");
    const expiresAt = Math.floor(Date.now() / 1000) + expiresInSeconds;
    const link = { tenantId: tenant.tenantId, mediaId: id, variant, expiresAt };
    const response = created({ url: signedPath(link, linkSecrets), expiresAt: new Date(expiresAt * 1000) });
    await insertRecord(tenant, idempotencyKey, response);
    return response;
  });
}
