// Discards the rest of a request's body when the response is written before the whole body has arrived (403, 413).
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { hasTooManyChunks, LARGE_BODY_BYTES_PER_CHUNK_MIN } from "./read-bytes.ts";

// More than the largest upload: a browser sends the whole body before it reads the response.
const REST_BYTES_MAX = 32 * 1024 * 1024;
const REST_TIME_MAX_MS = 10_000;
// Reading costs much more than the refusal, so a client that keeps sending large files can send only 4 MB a second on each connection.
const REST_BYTES_AT_ONCE = 2 * 1024 * 1024;
const REST_BYTES_PER_MS = 4 * 1024;
const PAUSE_MS_MIN = 10;

/**
 * Reads and discards the rest, because unread bytes would block the next request: 2 MiB at once, more at 4 MB a second. Beyond 32
 * MiB or 10 s it destroys the connection.
 *
 * If the connection is to be closed, or the rest arrives in tiny chunks, it first closes only the sending side and reads within
 * the same limits: closing a connection with unread bytes resets it, and most clients then give up without reading the response.
 */
export function dropRest(req: IncomingMessage, res: ServerResponse): void {
  if (req.isPaused()) req.resume();
  if (req.complete || req.destroyed) return;
  const { socket } = req;
  const endResponses = () => socket.end();
  // Node calls this after a response with `connection: close`, whether or not the body has been read.
  socket.destroySoon = endResponses;
  let bytes = 0;
  let chunkCount = 0;
  let isUnparsed = false;
  const startedAt = performance.now();
  const deadline = setTimeout(() => socket.destroy(), REST_TIME_MAX_MS);
  let pause: NodeJS.Timeout | undefined;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > REST_BYTES_MAX) socket.destroy();
    const pauseMs = msUntilDue(bytes) - (performance.now() - startedAt);
    if (pauseMs < PAUSE_MS_MIN) return;
    const source = isUnparsed ? socket : req;
    source.pause();
    clearTimeout(pause);
    pause = setTimeout(() => source.resume(), pauseMs);
  };
  // An aborted request then emits no event; its connection emits "close".
  const stop = () => {
    clearTimeout(deadline);
    clearTimeout(pause);
    socket.off("close", stop);
    Reflect.deleteProperty(socket, "destroySoon");
    if (socket.writableEnded) socket.destroySoon();
  };
  req.once("end", stop);
  socket.once("close", stop);
  req.on("error", () => undefined);
  req.on("data", (chunk: Buffer) => {
    count(chunk);
    chunkCount += 1;
    if (isUnparsed || !hasTooManyChunks(chunkCount, bytes, LARGE_BODY_BYTES_PER_CHUNK_MIN)) return;
    isUnparsed = true;
    req.off("end", stop);
    if (res.writableFinished) endResponses();
    else res.once("finish", endResponses);
    // Wait for the parser to finish the packet that contains this chunk.
    setImmediate(readUnparsed, socket, count);
  });
  req.resume();
}

/** Returns when to read on after `bytes` bytes of the rest, in ms since the response. */
export function msUntilDue(bytes: number): number {
  return Math.max(0, bytes - REST_BYTES_AT_ONCE) / REST_BYTES_PER_MS;
}

/** Bypasses Node's HTTP parser: parsing a tiny chunk costs far more than reading it. */
function readUnparsed(socket: Socket, onData: (bytes: Buffer) => void): void {
  if (socket.destroyed) return;
  socket.removeAllListeners("data");
  socket.on("data", onData);
  socket.once("end", () => socket.destroy());
  socket.resume();
}
