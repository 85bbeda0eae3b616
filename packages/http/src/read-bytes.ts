// Reads the bytes of a small body, from clients that send as slowly and in pieces as small as they like: within bounds of
// size, time, rate and pieces, each of which ends in a 4xx.
import type { IncomingMessage } from "node:http";
import { ApiError } from "./api-error.ts";
import { growingBuffer } from "./growing-buffer.ts";
import { hasTooManyChunks, SMALL_BODY_BYTES_PER_CHUNK_MIN } from "./has-too-many-chunks.ts";

/** Contract §1: a larger body is 413. */
export const BODY_BYTES_MAX = 2 * 1024 * 1024;

// A small body takes milliseconds; whoever takes longer than this to send one holds a connection for nothing.
const BODY_TIME_MAX_MS = 60_000;
// Within them whoever is slower than this is cut: 8 kbit/s is less than the worst mobile network.
const GRACE_MS = 10_000;
const BYTES_PER_SECOND_MIN = 1_024;
const PACE_CHECK_MS = 1_000;

/**
 * The body as it came. Throws 413 where it is larger than `bytesMax`, and 400 `bad_request` where it is cut short, comes
 * too slowly or in too many pieces; in both of the latter cases the connection is closed after the response. Memory grows
 * with what arrived, never with what was promised. What is left of a body too large is dropped as it comes.
 */
export async function readBytes(req: IncomingMessage, bytesMax: number = BODY_BYTES_MAX): Promise<Buffer> {
  // It may have broken off while the caller was looked up; its end would then never be heard of.
  if (req.destroyed) throw cutShort();
  const body = growingBuffer();
  const startedAt = performance.now();
  let pieces = 0;
  return await new Promise((resolve, reject) => {
    let pace = setTimeout(checkPace, GRACE_MS);

    function checkPace(): void {
      if (isTooSlow(body.length, performance.now() - startedAt)) refuse(tooSlow());
      else pace = setTimeout(checkPace, PACE_CHECK_MS);
    }
    function take(piece: Buffer): void {
      pieces += 1;
      if (hasTooManyChunks(pieces, body.length, SMALL_BODY_BYTES_PER_CHUNK_MIN)) refuse(tooManyChunks());
      else if (body.length + piece.length > bytesMax) refuse(tooLarge(bytesMax));
      else body.add(piece);
    }
    function finish(): void {
      letGo();
      resolve(body.bytes());
    }
    function breakOff(): void {
      letGo();
      reject(cutShort());
    }
    /** The rest is dropped as it comes, until the response, or its end, closes the connection or begins the next. */
    function refuse(error: ApiError): void {
      letGo();
      req.on("data", ignore);
      reject(error);
    }
    function letGo(): void {
      clearTimeout(pace);
      req.off("data", take).off("end", finish).off("error", breakOff).off("close", breakOff);
    }

    req.on("data", take).once("end", finish).once("error", breakOff).once("close", breakOff);
  });
}

// Without a listener the pieces would be kept until the stream is read; paused, until the connection is closed.
function ignore(): void {}

function isTooSlow(bytes: number, elapsedMs: number): boolean {
  const bytesDue = ((elapsedMs - GRACE_MS) / 1_000) * BYTES_PER_SECOND_MIN;
  return elapsedMs >= BODY_TIME_MAX_MS || bytes < bytesDue;
}

function cutShort(): ApiError {
  return new ApiError("bad_request", "The body was cut short.");
}

const CLOSE = { headers: { connection: "close" } };

function tooSlow(): ApiError {
  return new ApiError("bad_request", "The body took too long to arrive.", CLOSE);
}

/** For a body that is cut too finely. The connection is closed after the response. */
export function tooManyChunks(): ApiError {
  return new ApiError("bad_request", "The body arrived in too many small chunks.", CLOSE);
}

/** For a body that says, or turns out, to be larger than its route takes. */
export function tooLarge(bytesMax: number): ApiError {
  return new ApiError("payload_too_large", `The body is larger than ${bytesMax} bytes.`);
}
