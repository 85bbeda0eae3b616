// Reads a small body into memory, with limits on its size, time, rate and chunks. Exceeding one of them is a 4xx.
import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";
import { growingBuffer } from "./growing-buffer.ts";
import { hasTooManyChunks, SMALL_BODY_BYTES_PER_CHUNK_MIN } from "./has-too-many-chunks.ts";

/** The default limit of a body; a larger one is 413 (interface §1). */
export const BODY_BYTES_MAX = 2 * 1024 * 1024;

/** How fast a body has to arrive. */
interface Pace {
  /** The average rate is checked from here on. */
  readonly graceMs: number;
  readonly checkEveryMs: number;
  readonly bytesPerSecondMin: number;
  readonly timeMsMax: number;
}

// A small body normally takes milliseconds. The limit keeps slow clients from holding connections. After the grace, at least
// 1 KiB per second; the slowest mobile networks are faster.
export const BODY_PACE: Pace = {
  graceMs: 10_000,
  checkEveryMs: 1_000,
  bytesPerSecondMin: 1_024,
  timeMsMax: 60_000,
};

/**
 * Reads the whole body. Memory grows with the bytes that arrive, not with the announced length. After a rejection the rest of
 * the body is discarded as it arrives.
 *
 * @throws 413 if the body is larger than `bytesMax`. 400 `bad_request` if it breaks off, or if it arrives too slowly or in
 * too many chunks; in the latter two cases the connection is closed after the response.
 */
export async function readBytes(
  req: IncomingMessage,
  bytesMax: number = BODY_BYTES_MAX,
  pace: Pace = BODY_PACE,
): Promise<Buffer> {
  // The request may have been aborted during authentication; it would then emit no further event.
  if (req.destroyed) throw cutShort();
  const body = growingBuffer();
  const startedAt = performance.now();
  let chunkCount = 0;
  return await new Promise((resolve, reject) => {
    let rateTimer = setTimeout(checkRate, pace.graceMs);

    function checkRate(): void {
      if (isTooSlow(pace, body.length, performance.now() - startedAt)) refuse(tooSlow());
      else rateTimer = setTimeout(checkRate, pace.checkEveryMs);
    }
    function onData(chunk: Buffer): void {
      chunkCount += 1;
      if (hasTooManyChunks(chunkCount, body.length, SMALL_BODY_BYTES_PER_CHUNK_MIN)) refuse(tooManyChunks());
      else if (body.length + chunk.length > bytesMax) refuse(tooLarge(bytesMax));
      else body.add(chunk);
    }
    function onEnd(): void {
      removeListeners();
      resolve(body.bytes());
    }
    function onAbort(): void {
      removeListeners();
      reject(cutShort());
    }
    /** Discards the rest of the body until the response is written. */
    function refuse(error: ApiError): void {
      removeListeners();
      req.on("data", ignore);
      reject(error);
    }
    function removeListeners(): void {
      clearTimeout(rateTimer);
      req.off("data", onData).off("end", onEnd).off("error", onAbort).off("close", onAbort);
    }

    req.on("data", onData).once("end", onEnd).once("error", onAbort).once("close", onAbort);
  });
}

// Without a listener the request would buffer its chunks.
function ignore(): void {}

/** Whether a body of which `bytes` have arrived is too slow. The grace is free: its time is not due in bytes. */
export function isTooSlow(pace: Pace, bytes: number, elapsedMs: number): boolean {
  const bytesDue = ((elapsedMs - pace.graceMs) / 1_000) * pace.bytesPerSecondMin;
  return elapsedMs >= pace.timeMsMax || bytes < bytesDue;
}

/** 400 for a body that ends before its announced end. */
export function cutShort(): ApiError {
  return new ApiError("bad_request", "The body was cut short.");
}

const CLOSE = { headers: { connection: "close" } };

function tooSlow(): ApiError {
  return new ApiError("bad_request", "The body took too long to arrive.", CLOSE);
}

/** 400 for a body for which `hasTooManyChunks` is true. The connection is closed after the response. */
export function tooManyChunks(): ApiError {
  return new ApiError("bad_request", "The body arrived in too many small chunks.", CLOSE);
}

/** 413 for a body whose announced or actual length is larger than the limit. */
export function tooLarge(bytesMax: number): ApiError {
  return new ApiError("payload_too_large", `The body is larger than ${bytesMax} bytes.`);
}
