// Reads a small body into memory, with limits on its size, duration, rate and chunks. Exceeding a limit is a 4xx.
import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";
import { growingBuffer } from "./growing-buffer.ts";
import { hasTooManyChunks, SMALL_BODY_BYTES_PER_CHUNK_MIN } from "./has-too-many-chunks.ts";

/** The default limit of a body; a larger one is 413 (interface §1). */
export const BODY_BYTES_MAX = 2 * 1024 * 1024;

/** The minimum speed of a body. */
interface Pace {
  /** The average rate is checked after this time. */
  readonly graceMs: number;
  readonly checkEveryMs: number;
  readonly bytesPerSecondMin: number;
  readonly timeMsMax: number;
}

// A small body normally takes milliseconds. The limits keep slow clients from holding connections. After the grace, a body must
// average 1 KiB per second; the slowest mobile networks are faster.
export const BODY_PACE: Pace = {
  graceMs: 10_000,
  checkEveryMs: 1_000,
  bytesPerSecondMin: 1_024,
  timeMsMax: 60_000,
};

/**
 * Reads the whole body. Memory grows with the bytes that arrive, whatever length was announced. After a rejection, the rest of
 * the body is discarded as it arrives.
 *
 * @throws 413 if the body is larger than `bytesMax`, and 400 `bad_request` if it breaks off, arrives too slowly, or has too many
 * chunks. For the last two, the connection is closed after the response.
 */
export async function readBytes(
  req: IncomingMessage,
  bytesMax: number = BODY_BYTES_MAX,
  pace: Pace = BODY_PACE,
): Promise<Buffer> {
  // The request may have been aborted during authentication; it then emits no further events.
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

/** Reports whether a body is too slow, given the bytes that have arrived. The grace period does not count. */
export function isTooSlow(pace: Pace, bytes: number, elapsedMs: number): boolean {
  const bytesDue = ((elapsedMs - pace.graceMs) / 1_000) * pace.bytesPerSecondMin;
  return elapsedMs >= pace.timeMsMax || bytes < bytesDue;
}

/** Returns the 400 for a body that ends early. */
export function cutShort(): ApiError {
  return new ApiError("bad_request", "The body was cut short.");
}

const CLOSE = { headers: { connection: "close" } };

function tooSlow(): ApiError {
  return new ApiError("bad_request", "The body took too long to arrive.", CLOSE);
}

/** Returns the 400 for a body for which `hasTooManyChunks` is true. The connection is closed after the response. */
export function tooManyChunks(): ApiError {
  return new ApiError("bad_request", "The body arrived in too many small chunks.", CLOSE);
}

/** Returns the 413 for a body whose announced or actual length exceeds the limit. */
export function tooLarge(bytesMax: number): ApiError {
  return new ApiError("payload_too_large", `The body is larger than ${bytesMax} bytes.`);
}
