import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";

/** The default limit (interface §1). */
export const BODY_BYTES_MAX = 2 * 1024 * 1024;

interface Pace {
  /** The average rate is checked after this time. */
  readonly graceMs: number;
  readonly checkEveryMs: number;
  readonly bytesPerSecondMin: number;
  readonly timeMsMax: number;
}

// A small body takes milliseconds. After the grace, it must average 1 KiB per second, slower than any mobile network.
export const BODY_PACE: Pace = {
  graceMs: 10_000,
  checkEveryMs: 1_000,
  bytesPerSecondMin: 1_024,
  timeMsMax: 60_000,
};

/**
 * Reads the whole body; memory grows with the bytes that arrive. After a rejection, the rest of the body is discarded.
 * @throws 413 if the body is larger than `bytesMax`, and 400 `bad_request` if it breaks off, arrives too slowly, or has too many
 * chunks; for the last two, the connection is closed after the response.
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

/** The grace period does not count. */
export function isTooSlow(pace: Pace, bytes: number, elapsedMs: number): boolean {
  const bytesDue = ((elapsedMs - pace.graceMs) / 1_000) * pace.bytesPerSecondMin;
  return elapsedMs >= pace.timeMsMax || bytes < bytesDue;
}

export function cutShort(): ApiError {
  return new ApiError("bad_request", "The body was cut short.");
}

const CLOSE = { headers: { connection: "close" } };

function tooSlow(): ApiError {
  return new ApiError("bad_request", "The body took too long to arrive.", CLOSE);
}

// Each chunk costs about a microsecond and a hundred bytes of garbage. Only a hostile client splits a large body into tiny ones.
const CHUNKS_FREE = 4_096;
/** Clients may write JSON token by token. */
const SMALL_BODY_BYTES_PER_CHUNK_MIN = 16;
/** Files, and the rest of a refused body, arrive in network packets. */
export const LARGE_BODY_BYTES_PER_CHUNK_MIN = 512;

/** Reports whether the chunks are too small on average. The first 4,096 may have any size. */
export function hasTooManyChunks(chunkCount: number, bytes: number, bytesPerChunkMin: number): boolean {
  return chunkCount > CHUNKS_FREE && bytes < chunkCount * bytesPerChunkMin;
}

/** Returns the 400 for `hasTooManyChunks`; it closes the connection. */
export function tooManyChunks(): ApiError {
  return new ApiError("bad_request", "The body arrived in too many small chunks.", CLOSE);
}

export function tooLarge(bytesMax: number): ApiError {
  return new ApiError("payload_too_large", `The body is larger than ${bytesMax} bytes.`);
}

// Smaller steps would cost more time than they save memory.
const STEP_BYTES_MIN = 1_024;

/** Collects chunks in one buffer, at most twice their size. A list of two million one-byte chunks would take 200 times their size. */
export function growingBuffer() {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add: (chunk: Buffer) => {
      const needed = length + chunk.length;
      // Most bodies are one chunk, kept without a copy. The buffer is then full, so later chunks never overwrite it.
      if (length === 0) buffer = chunk;
      else {
        if (needed > buffer.length)
          buffer = enlarged(buffer, length, Math.max(needed, buffer.length * 2, STEP_BYTES_MIN));
        chunk.copy(buffer, length);
      }
      length = needed;
    },
    /** Later chunks do not change the returned buffer. */
    bytes: () => buffer.subarray(0, length),
  };
}

function enlarged(buffer: Buffer, length: number, bytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(bytes);
  buffer.copy(larger, 0, 0, length);
  return larger;
}
