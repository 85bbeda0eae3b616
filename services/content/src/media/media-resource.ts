// A media asset and how the API shows it (interface §5). Pure.
import type { Tables, Variant } from "../tables.ts";

export interface Media {
  readonly id: string;
  readonly filename: string;
  readonly altText: string | null;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly status: Tables["media"]["status"];
  readonly failureReason: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly variants: readonly Variant[];
  readonly createdAt: Date;
  readonly linksEndedCount: number;
}

export const FILE_BYTES_MAX = 25 * 1024 * 1024;

export function mediaResource({ failureReason, createdAt, ...media }: Media) {
  const url = `/v1/media/${media.id}/file`;
  return {
    id: media.id,
    filename: media.filename,
    altText: media.altText,
    contentType: media.contentType,
    sizeBytes: media.sizeBytes,
    sha256: media.sha256,
    status: media.status,
    ...(media.status === "failed" && failureReason !== null && { failureReason }),
    width: media.width,
    height: media.height,
    url,
    variants: media.variants.map((variant) => ({ ...variant, url: `${url}?variant=${variant.name}` })),
    createdAt,
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
