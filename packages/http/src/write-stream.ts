// Writes a response that is too large for memory as fast as the client reads it.
import type { ServerResponse } from "node:http";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/** In ms. A client that reads nothing for this long has gone, or is trying to exhaust connections. */
export const STALL_MS = 60_000;

/**
 * Writes the body of a response whose headers have been written. `contentLength` is its length, if known. `compress` transforms
 * the bytes after they are counted in `written`. Resolves when all bytes are written. If the body fails or has another length, or
 * the client disconnects, it destroys both ends and rejects, so that the client notices an incomplete response.
 */
export async function writeStream(
  res: ServerResponse,
  body: Readable,
  {
    contentLength,
    compress,
    written,
  }: { contentLength: string | undefined; compress: Transform | undefined; written: { bytes: number } },
): Promise<void> {
  if (res.req.method === "HEAD") {
    discard(body);
    res.end();
    return;
  }
  res.setTimeout(STALL_MS, () => res.destroy());
  const counted = (chunks: AsyncIterable<Buffer>) => checkLength(chunks, contentLength, written);
  if (compress === undefined) await pipeline(body, counted, res);
  else await pipeline(body, counted, compress, res);
}

/** Destroys a stream without reading it, and ignores its errors. */
export function discard(body: Readable): void {
  body.on("error", () => undefined);
  body.destroy();
}

/** Passes chunks on, and throws if their total is not `contentLength`. */
async function* checkLength(
  chunks: AsyncIterable<Buffer>,
  contentLength: string | undefined,
  written: { bytes: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    written.bytes += chunk.length;
    yield chunk;
  }
  if (contentLength !== undefined && written.bytes !== Number(contentLength)) {
    throw new Error(`the response has ${written.bytes} bytes instead of ${contentLength}`);
  }
}
