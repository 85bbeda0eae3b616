import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { ApiError } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import { withoutKnownBody } from "./conditional-requests.ts";

export interface Page {
  /** As in `pathIndex`: `/docs/assets/:name`, or `/files/*path`. */
  readonly path: string;
  readonly find: (params: Readonly<Record<string, string>>, req: IncomingMessage) => StaticFile | undefined;
}

const METHODS = "GET, HEAD";

/**
 * Serves a file for browsers, outside the API, without authentication. The query is ignored: links may carry parameters of
 * other programs.
 * @throws 404 `not_found` and 405 `method_not_allowed`.
 */
export async function servePage(
  page: Page,
  req: IncomingMessage,
  params: Readonly<Record<string, string>>,
): Promise<ApiResponse> {
  const file = page.find(params, req);
  if (file === undefined) throw new ApiError("not_found", "No such path.");
  if (req.method !== "GET" && req.method !== "HEAD") {
    throw new ApiError("method_not_allowed", "Use GET or HEAD for this path.", {
      headers: { allow: METHODS },
    });
  }
  return withoutKnownBody(req, await file());
}

/** The first call compresses the file. */
export type StaticFile = () => Promise<ApiResponse>;

/**
 * Returns a file with its `ETag`. `headers` contain its `content-type`, `brotli` is the file compressed beforehand. All
 * responses share one buffer, so slow readers cost no memory.
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

/** For tags and file names. */
export function contentHash(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, 16);
}
