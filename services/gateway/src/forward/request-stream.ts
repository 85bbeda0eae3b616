// A client's upload on its way to a service: as it arrives, as long as it arrives fast enough.
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import {
  ApiError,
  BODY_BYTES_MAX,
  isCutTooFinely,
  LARGE_BODY_BYTES_PER_PIECE_MIN,
  tooManyPieces,
} from "@tradepost/http";
import { errors } from "undici";
import { isTooSlow, type Pace, UPLOAD_PACE } from "./upload-pace.ts";

const LOOK_EVERY_MS = 1_000;

/**
 * The body as it arrives. It fails with 400 if the client is too slow, cuts it too finely or breaks it off. What the
 * service does not want of it is read and discarded: unread, it would block the next request on the client's connection.
 */
export function streamOf(
  req: IncomingMessage,
  pace: Pace = UPLOAD_PACE,
  lookEveryMs = LOOK_EVERY_MS,
): PassThrough {
  const body = new PassThrough();
  // Whoever reads it hears of a failure from the request that it belongs to.
  body.on("error", () => undefined);
  let bytes = 0;
  let pieces = 0;
  let waitedMs = 0;
  let silentMs = 0;
  const watch = setInterval(() => {
    // The service is the slower one.
    if (body.writableNeedDrain) return;
    waitedMs += lookEveryMs;
    silentMs += lookEveryMs;
    if (isTooSlow(pace, { bytes, waitedMs, silentMs })) body.destroy(tooSlow());
  }, lookEveryMs);
  req.on("data", (piece: Buffer) => {
    if (body.destroyed) return;
    bytes += piece.length;
    pieces += 1;
    silentMs = 0;
    if (isCutTooFinely(pieces, bytes, LARGE_BODY_BYTES_PER_PIECE_MIN)) body.destroy(tooManyPieces());
  });
  pipeJoined(req, body);
  req.once("close", () => !req.complete && body.destroy(cutShort()));
  body.once("finish", () => clearInterval(watch));
  body.once("close", () => {
    clearInterval(watch);
    req.resume();
  });
  return body;
}

/** Pipes, and joins the pieces that arrive together: a write to the service costs far more than a piece. */
function pipeJoined(req: IncomingMessage, body: PassThrough): void {
  let pieces: Buffer[] = [];
  const flush = () => {
    if (pieces.length === 0 || body.destroyed) return;
    const joined = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
    pieces = [];
    if (body.write(joined)) return;
    req.pause();
    body.once("drain", () => req.resume());
  };
  req.on("data", (piece: Buffer) => {
    if (body.destroyed) return;
    // One read of the connection brings all of its pieces in this turn of the event loop.
    if (pieces.length === 0) setImmediate(flush);
    pieces.push(piece);
  });
  req.once("end", () => {
    flush();
    body.end();
  });
}

/** More than a service reads: it refuses the request by its headers, in the order of contract §1. */
export const REFUSED_LENGTH = String(BODY_BYTES_MAX + 1);

/** Stands for a body that is too large: it begins, because undici sends headers with the first byte, and never ends. */
export function refusedBody(): PassThrough {
  const body = new PassThrough();
  body.on("error", () => undefined);
  body.write(" ");
  return body;
}

/**
 * How long the service may take to begin its response. undici's own clock stands still while a body is being sent.
 * In: options for its request. `start` once the service has all that it gets, `stop` when it has begun or failed.
 */
export function responseClock(timeoutMs: number) {
  const tooLate = new AbortController();
  let clock: NodeJS.Timeout | undefined;
  let isOver = false;
  return {
    options: { headersTimeout: 0, signal: tooLate.signal },
    start: () => {
      if (!isOver) clock = setTimeout(() => tooLate.abort(new errors.HeadersTimeoutError()), timeoutMs);
    },
    stop: () => {
      isOver = true;
      clearTimeout(clock);
    },
  };
}

function cutShort(): ApiError {
  return new ApiError("bad_request", "The body was cut short.");
}

function tooSlow(): ApiError {
  return new ApiError("bad_request", "The body arrived too slowly.", { headers: { connection: "close" } });
}
