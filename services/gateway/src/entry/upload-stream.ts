import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import {
  ApiError,
  cutShort,
  hasTooManyChunks,
  LARGE_BODY_BYTES_PER_CHUNK_MIN,
  tooManyChunks,
} from "@tradepost/http";

// The largest upload (25 MiB) has 15 minutes, which takes 28 KiB/s. A client below 16 KiB/s would only block one of its tenant's
// uploads.
export const UPLOAD_PACE = { silenceMsMax: 30_000, graceMs: 30_000, bytesPerSecondMin: 16 * 1024 };

const CHECK_EVERY_MS = 1_000;

/**
 * Fails with 400 if the client is too slow, sends too many tiny chunks, or closes early. Discards what the service does not read:
 * it would block the next request on the connection.
 */
export function uploadStream(
  req: IncomingMessage,
  pace = UPLOAD_PACE,
  checkEveryMs = CHECK_EVERY_MS,
): PassThrough {
  const body = new PassThrough();
  // The upstream request reports it.
  body.on("error", () => undefined);
  let bytes = 0;
  let chunkCount = 0;
  let waitedMs = 0;
  let silentMs = 0;
  const check = setInterval(() => {
    // The service is slower than the client.
    if (body.writableNeedDrain) return;
    waitedMs += checkEveryMs;
    silentMs += checkEveryMs;
    if (isTooSlow(pace, { bytes, waitedMs, silentMs })) body.destroy(tooSlow());
  }, checkEveryMs);
  req.on("data", (chunk: Buffer) => {
    if (body.destroyed) return;
    bytes += chunk.length;
    chunkCount += 1;
    silentMs = 0;
    if (hasTooManyChunks(chunkCount, bytes, LARGE_BODY_BYTES_PER_CHUNK_MIN)) body.destroy(tooManyChunks());
  });
  pipeJoined(req, body);
  req.once("close", () => !req.complete && body.destroy(cutShort()));
  body.once("finish", () => clearInterval(check));
  body.once("close", () => {
    clearInterval(check);
    req.resume();
  });
  return body;
}

/** A write to the service costs far more than a chunk. */
function pipeJoined(req: IncomingMessage, body: PassThrough): void {
  let chunks: Buffer[] = [];
  const flush = () => {
    if (chunks.length === 0 || body.destroyed) return;
    const joined = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    chunks = [];
    if (body.write(joined)) return;
    req.pause();
    body.once("drain", () => req.resume());
  };
  req.on("data", (chunk: Buffer) => {
    if (body.destroyed) return;
    // Tiny chunks arrive in the same turn of the event loop.
    if (chunks.length === 0) setImmediate(flush);
    chunks.push(chunk);
  });
  req.once("end", () => {
    flush();
    body.end();
  });
}

function tooSlow(): ApiError {
  return new ApiError("bad_request", "The body arrived too slowly.", { headers: { connection: "close" } });
}

export function isTooSlow(
  pace: typeof UPLOAD_PACE,
  { bytes, waitedMs, silentMs }: Record<"bytes" | "waitedMs" | "silentMs", number>,
): boolean {
  const isBelowAverage = bytes < (waitedMs / 1000) * pace.bytesPerSecondMin;
  return silentMs >= pace.silenceMsMax || (waitedMs >= pace.graceMs && isBelowAverage);
}
