import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { writeJson } from "@tradepost/json";
import type { ApiResponse } from "./api-response.ts";
import { acceptsBrotli, applyGzip, createGzip, gzip } from "./gzip.ts";
import type { RequestContext } from "./request-context.ts";

// Smaller bodies are copied for each response.
const COPIED_BYTES_MAX = 64 * 1024;
/** In ms. A client this slow has gone, or is trying to exhaust connections. */
const STALL_MS = 60_000;

/** Writes a response (interface §1). `written` gets the body's size before compression. Rejects if a stream is cut off. */
export async function writeResponse(
  res: ServerResponse,
  response: ApiResponse,
  context: RequestContext,
  compresses: boolean,
  written: { bytes: number },
): Promise<void> {
  const { status, body, bytes, stream } = response;
  if (res.headersSent || res.destroyed) {
    if (stream !== undefined) discard(stream);
    return;
  }
  const headers: Record<string, string | number | string[]> = {
    ...(bytes === undefined && stream === undefined && { "content-type": "application/json; charset=utf-8" }),
    ...cachingOf(response),
    ...context.responseHeaders,
    ...response.headers,
    ...(response.cookies && { "set-cookie": [...response.cookies] }),
    "x-request-id": context.requestId,
  };
  if (stream !== undefined) {
    const contentLength = response.headers?.["content-length"];
    const length = contentLength === undefined ? undefined : Number(contentLength);
    const compress = compresses && applyGzip(res.req, headers, status, length) ? createGzip() : undefined;
    res.writeHead(status, headers);
    return await writeStream(res, stream, { contentLength, compress, written });
  }
  // Node writes headers and a text body in one packet, but headers and bytes in two, which costs more.
  const [content, encoding] =
    bytes === undefined ? [writeJson(body), "utf8" as const] : [textOf(bytes), "latin1" as const];
  // A 304 has no body. Its length would be the length of the body that the client has.
  if (status !== 304 && status !== 204) headers["content-length"] = Buffer.byteLength(content, encoding);
  const isHead = res.req.method === "HEAD";
  if (!isHead) written.bytes = Number(headers["content-length"]) || 0;
  const coded = compresses ? await codedBody(res.req, response, { content, encoding }, headers) : undefined;
  res.writeHead(status, headers);
  if (isHead) await end(res, "");
  else if (coded !== undefined) await end(res, coded);
  else await end(res, content, encoding);
}

/** Returns the body in a coding that the client accepts, and sets its headers. Undefined for the body as it is. */
async function codedBody(
  req: IncomingMessage,
  { status, bytes, gzipped, brotli }: ApiResponse,
  { content, encoding }: { content: string | Buffer; encoding: BufferEncoding },
  headers: Record<string, unknown>,
): Promise<Buffer | undefined> {
  if (brotli !== undefined && acceptsBrotli(req)) {
    const coded = { "content-encoding": "br", vary: "Accept-Encoding", "content-length": brotli.length };
    Object.assign(headers, coded);
    return brotli;
  }
  const length = Number(headers["content-length"]);
  if (!applyGzip(req, headers, status, length, gzipped !== undefined)) return undefined;
  // A HEAD gets no length, because compressing the body for it would be a waste.
  if (gzipped === undefined && req.method === "HEAD") return undefined;
  const compressed = gzipped ?? (await gzip(bytes ?? Buffer.from(String(content), encoding)));
  headers["content-length"] = compressed.length;
  return compressed;
}

/** Only the client may keep a response, which may contain personal data, and must revalidate (interface §1). */
function cachingOf({ status, body, headers }: ApiResponse): Readonly<Record<string, string>> {
  const isJson = headers?.["content-type"]?.startsWith("application/json") ?? body !== undefined;
  if (!isJson && status !== 304) return {};
  return {
    "x-content-type-options": "nosniff",
    "cache-control": headers?.etag === undefined ? "no-store" : "private, no-cache",
  };
}

/** Resolves when the kernel has all bytes. */
async function end(res: ServerResponse, content: string | Buffer, encoding?: BufferEncoding): Promise<void> {
  // The client may have disconnected during the compression.
  if (res.destroyed) return;
  if (encoding === undefined) res.end(content);
  else res.end(content, encoding);
  // A response without a socket waits behind another one.
  if (res.socket?.writableLength === 0) return;
  res.setTimeout(STALL_MS, () => res.destroy());
  await new Promise((resolve) => res.once("close", resolve));
}

function textOf(bytes: Buffer): string | Buffer {
  return bytes.length > COPIED_BYTES_MAX ? bytes : bytes.toString("latin1");
}

/**
 * As fast as the client reads. If the body fails or has another length than `contentLength`, or the client disconnects, it destroys
 * both ends and rejects, so that the client notices.
 */
async function writeStream(
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
