// Serves a file: whole, a range, or 304 (RFC 9110).
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ApiError, type ApiResponse, isKnown, notFound } from "@tradepost/http";
import { create as contentDisposition } from "content-disposition";
import type { PaceFile } from "./file-pace.ts";
import type { VariantName } from "./image/variant.ts";
import { fileKey, type MediaRow } from "./media-resource.ts";
import { type ByteRange, FileNotFound, type Storage } from "./storage/storage.ts";

// Browsers run nothing in these. SVG, HTML, XML and PDF can contain programs.
const SAFE_INLINE = new Set([
  ...["image/jpeg", "image/png", "image/apng", "image/gif", "image/webp", "image/avif"],
  ...["video/mp4", "video/webm", "video/ogg"],
  ...["audio/mpeg", "audio/ogg", "audio/mp4", "audio/x-m4a", "audio/wav", "audio/aac", "audio/flac"],
]);

export interface ServedFile {
  readonly tenantId: string;
  readonly key: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly filename: string;
  readonly etag: string;
}

export type FileResponse =
  | { readonly status: 304 }
  | { readonly status: 416 }
  | { readonly status: 200; readonly range: undefined }
  | { readonly status: 206; readonly range: ByteRange };

/** Returns null if the derivative does not exist (yet). The file at a URL never changes. */
export function servedFile(tenantId: string, media: MediaRow, name?: VariantName): ServedFile | null {
  const key = fileKey(tenantId, media.id, name);
  if (name === undefined) {
    const { filename, content_type: contentType, sha256 } = media;
    return { tenantId, key, contentType, sizeBytes: Number(media.size_bytes), filename, etag: `"${sha256}"` };
  }
  const variant = media.variants.find((one) => one.name === name);
  if (variant === undefined) return null;
  const filename = `${media.filename.replace(/\.[^.]*$/, "")}-${name}.webp`;
  return { ...variant, tenantId, key, filename, etag: `"${media.sha256}-${name}"` };
}

/** `moreHeaders` replace the file's, also in a 304. Throws 416, and 404 if the file has just been deleted. */
export async function serveFile(
  { storage, paceFile }: { readonly storage: Storage; readonly paceFile: PaceFile },
  file: ServedFile,
  request: IncomingMessage,
  moreHeaders: Readonly<Record<string, string>> = {},
): Promise<ApiResponse> {
  const response = responseFor(request.method ?? "", request.headers, file);
  const headers = { ...fileHeaders(file), ...moreHeaders };
  if (response.status === 304) return { status: 304, headers, bytes: Buffer.alloc(0) };
  if (response.status === 416) throw unsatisfiable(file);
  const { range, status } = response;
  const length = range === undefined ? file.sizeBytes : range.end - range.start + 1;
  const stream = await open(storage, file, range);
  return {
    status,
    headers: {
      ...headers,
      "content-length": String(length),
      ...(range && { "content-range": `bytes ${range.start}-${range.end}/${file.sizeBytes}` }),
    },
    stream: paceFile(file.tenantId, stream),
  };
}

/** Malformed ranges, several ranges, and an `If-Range` with another tag or a date get the whole file. */
export function responseFor(
  method: string,
  headers: IncomingHttpHeaders,
  { etag, sizeBytes }: ServedFile,
): FileResponse {
  if (isKnown({ headers }, etag)) return { status: 304 };
  const whole = { status: 200, range: undefined } as const;
  const { range, "if-range": ifRange } = headers;
  // Ranges apply to GET only. With another tag in `If-Range`, the client has part of another file.
  if (method !== "GET" || typeof range !== "string" || (ifRange !== undefined && ifRange !== etag))
    return whole;
  // One range (RFC 9110 §14.1.2); empty elements do not count.
  const [, first, last] = /^bytes=[ \t,]*(?!-[ \t,]*$)(\d*)-(\d*)[ \t,]*$/i.exec(range) ?? [];
  if (first === undefined || last === undefined) return whole;
  const isSuffix = first === "";
  const start = isSuffix ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = isSuffix || last === "" ? Number.POSITIVE_INFINITY : Number(last);
  // The last bytes of an empty file are the whole file, which no 206 can express.
  if (end < start || (isSuffix && sizeBytes === 0)) return whole;
  if (start >= sizeBytes) return { status: 416 };
  return { status: 206, range: { start, end: Math.min(end, sizeBytes - 1) } };
}

/** Makes a browser run nothing in a tenant's file. A 304 has these headers, too. */
export function fileHeaders({ etag, contentType, filename }: ServedFile): Record<string, string> {
  const type = SAFE_INLINE.has(contentType) ? "inline" : "attachment";
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

function unsatisfiable({ sizeBytes }: ServedFile): ApiError {
  return new ApiError("range_not_satisfiable", `The file has ${sizeBytes} bytes.`, {
    headers: { "content-range": `bytes */${sizeBytes}`, "accept-ranges": "bytes" },
  });
}

async function open(storage: Storage, { key }: ServedFile, range: ByteRange | undefined) {
  try {
    return await storage.get(key, range);
  } catch (error) {
    throw error instanceof FileNotFound ? notFound("file of this media") : error;
  }
}
