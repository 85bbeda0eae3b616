// Discards the rest of a request's body when the response is written before all of the body has arrived (403, 413).
import type { IncomingMessage } from "node:http";
import { hasTooManyChunks, LARGE_BODY_BYTES_PER_CHUNK_MIN } from "./has-too-many-chunks.ts";

// More than the largest upload (25 MiB): a browser sends the whole body before it reads the response.
const REST_BYTES_MAX = 32 * 1024 * 1024;
const REST_TIME_MAX_MS = 10_000;
// Time for the response to reach the client before its connection is destroyed.
const FLUSH_MS = 500;

/**
 * Reads and discards the rest of the body, because unread bytes would block the next request on the connection. If the rest
 * is larger than 32 MiB, takes longer than 10 s or arrives in tiny chunks, the connection is destroyed instead. It is
 * never destroyed at once, because closing it with unread bytes resets it, and the client may lose the response.
 */
export function dropRest(req: IncomingMessage): void {
  if (req.isPaused()) req.resume();
  if (req.complete || req.destroyed) return;
  const { socket } = req;
  let bytes = 0;
  let chunkCount = 0;
  let isEnding = false;
  let deadline = setTimeout(() => socket.destroy(), REST_TIME_MAX_MS);
  // After the response is written, an aborted request emits no event; its connection emits "close".
  const stop = () => {
    clearTimeout(deadline);
    socket.off("close", stop);
  };
  req.once("end", stop);
  socket.once("close", stop);
  req.on("error", () => undefined);
  req.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    chunkCount += 1;
    if (bytes > REST_BYTES_MAX) socket.destroy();
    if (isEnding || !hasTooManyChunks(chunkCount, bytes, LARGE_BODY_BYTES_PER_CHUNK_MIN)) return;
    isEnding = true;
    // Pauses the connection, not the request: a paused request would keep the bytes that were read already.
    socket.pause();
    clearTimeout(deadline);
    deadline = setTimeout(() => socket.destroy(), FLUSH_MS);
  });
  req.resume();
}
