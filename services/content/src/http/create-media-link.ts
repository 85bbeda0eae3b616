// POST /v1/media/{id}/links: makes a signed link to a file, which needs no credential until it expires or is ended.
import { type ApiRequest, created, notFound } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { auditRow } from "@tradepost/messaging";
import { servedFile } from "../media/file-response.ts";
import type { LinkInput } from "../media/media-input.ts";
import { signedPath } from "../media/media-link.ts";
import { lockMedia } from "../media/media-store.ts";
import type { Content } from "./context.ts";

export function createMediaLink({ tenants, linkSecrets, onCommit }: Content) {
  return withIdempotencyKey(tenants, async (tenant, request: ApiRequest<LinkInput, undefined>) => {
    const response = await tenant.transaction(async (tx) => {
      const { id, body, idempotencyKey } = request;
      const { variant, expiresInSeconds } = body;
      const media = await lockMedia(tx, id);
      if (media === null) throw notFound("media");
      if (servedFile(tx.tenantId, media, variant) === null) throw notFound("variant of this media");
      const expiresAt = Math.floor(Date.now() / 1000) + expiresInSeconds;
      const { linksEndedCount } = media;
      const link = { tenantId: tx.tenantId, mediaId: id, variant, expiresAt, linksEndedCount };
      const shown = { expiresAt: new Date(expiresAt * 1000) };
      const changes = { variant: variant ?? null, ...shown };
      const entry = { action: "media_link.created", target: { type: "media", id }, changes };
      await tx.db
        .insertInto("outbox")
        .values(auditRow(entry, id, request))
        .execute();
      const response = created({ url: signedPath(link, linkSecrets), ...shown });
      await insertRecord(tx, idempotencyKey, response);
      return response;
    });
    onCommit();
    return response;
  });
}
