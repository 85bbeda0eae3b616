// Files served from memory: read once, compressed once, and tagged by a hash of their content.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import zlib from "node:zlib";
import type { ApiResponse } from "./api-response.ts";

/** Returns a response with the file. The first call compresses it. */
export type StaticFile = () => Promise<ApiResponse>;

/**
 * Returns a file with its `ETag`. `headers` contain its `content-type`. All responses share one buffer, so slow readers cost no
 * memory. `brotli` is the file compressed beforehand. The gzip form is made here, unless the file is an archive.
 */
export function staticFile(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  brotli?: Buffer,
): StaticFile {
  const response = {
    status: 200,
    bytes,
    ...(brotli !== undefined && { brotli }),
    headers: { ...headers, etag: `"${contentHash(bytes)}"`, "x-content-type-options": "nosniff" },
  };
  if (headers["content-type"] === "application/gzip") return async () => response;
  let gzipped: Promise<Buffer> | undefined;
  return async () => {
    gzipped ??= promisify(zlib.gzip)(bytes);
    return { ...response, gzipped: await gzipped };
  };
}

/** Returns a short hash of the content, for tags and file names. */
export function contentHash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
}
