// A media asset and how the API shows it (interface §5). Pure.
import type { Selectable } from "kysely";
import type { Tables } from "../tables.ts";

export type MediaRow = Selectable<Tables["media"]>;

export const FILE_BYTES_MAX = 25 * 1024 * 1024;

export function mediaResource(row: MediaRow) {
  const url = `/v1/media/${row.id}/file`;
  return {
    id: row.id,
    filename: row.filename,
    altText: row.alt_text,
    contentType: row.content_type,
    sizeBytes: Number(row.size_bytes),
    sha256: row.sha256,
    status: row.status,
    ...(row.status === "failed" && row.failure_reason !== null && { failureReason: row.failure_reason }),
    width: row.width,
    height: row.height,
    url,
    variants: row.variants.map((variant) => ({ ...variant, url: `${url}?variant=${variant.name}` })),
    createdAt: row.created_at,
  };
}

const IMAGE_TYPES = ["jpeg", "png", "apng", "webp", "gif", "avif", "tiff"].map((type) => `image/${type}`);

export function isImage(contentType: string): boolean {
  return IMAGE_TYPES.includes(contentType);
}

export function folderOf(tenantId: string, mediaId: string): string {
  return `${tenantId}/${mediaId}`;
}

export function fileKey(tenantId: string, mediaId: string, variant?: string): string {
  return `${folderOf(tenantId, mediaId)}/${variant === undefined ? "original" : `${variant}.webp`}`;
}
