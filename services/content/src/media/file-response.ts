// How a file is served: which bytes, under which headers, or that the client has it already (RFC 9110). Pure.
import { create as contentDisposition } from "content-disposition";
import fresh from "fresh";
import parseRange from "range-parser";
import type { ByteRange } from "../storage/storage.ts";
import { isShownInline } from "./content-type-of-bytes.ts";
import { fileKey, type Media, type VariantName } from "./media.ts";

export interface ServedFile {
  readonly key: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly filename: string;
  readonly etag: string;
}

export type Serving =
  | { readonly status: 304 }
  | { readonly status: 416 }
  | { readonly status: 200; readonly range: undefined }
  | { readonly status: 206; readonly range: ByteRange };

type Asked = Readonly<Record<string, string | string[] | undefined>>;

/** The original, or a derivative; null where there is none (yet). Neither ever changes under its URL. */
export function servedFile(tenantId: string, media: Media, name?: VariantName): ServedFile | null {
  const key = fileKey(tenantId, media.id, name);
  if (name === undefined) return { ...media, key, etag: `"${media.sha256}"` };
  const variant = media.variants.find((made) => made.name === name);
  if (variant === undefined) return null;
  const filename = `${media.filename.replace(/\.[^.]*$/, "")}-${name}.webp`;
  return { ...variant, key, filename, etag: `"${media.sha256}-${name}"` };
}

/** In: the request's headers. A range that cannot be read, or several, get the whole; so does one for other bytes. */
export function servingOf(method: string, asked: Asked, { etag, sizeBytes }: ServedFile): Serving {
  // Only this header: what else a client says to caches on the way is not for the origin.
  if (fresh({ "if-none-match": asked["if-none-match"] }, { etag })) return { status: 304 };
  const whole = { status: 200, range: undefined } as const;
  const { range, "if-range": ifRange } = asked;
  // Only GET has ranges; and one that continues other bytes would be wrong.
  if (method !== "GET" || typeof range !== "string" || (ifRange !== undefined && ifRange !== etag))
    return whole;
  const parsed = parseRange(sizeBytes, range, { combine: true });
  if (parsed === -1) return { status: 416 };
  const [only] = parsed === -2 || parsed.type !== "bytes" || parsed.length !== 1 ? [] : parsed;
  return only === undefined ? whole : { status: 206, range: { start: only.start, end: only.end } };
}

/** Of every answer that the file gives, 304 too. The bytes are tenants': no browser is to run anything in them. */
export function fileHeaders({ etag, contentType, filename }: ServedFile): Record<string, string> {
  const type = isShownInline(contentType) ? "inline" : "attachment";
  return {
    etag,
    "content-type": contentType,
    "content-disposition": contentDisposition(filename, { type }),
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, max-age=31536000, immutable",
    "accept-ranges": "bytes",
  };
}
