// Deals with what is left of a request's body when its response is written before all of the body has arrived (403, 413).
import type { IncomingMessage } from "node:http";
import { hasTooManyChunks, LARGE_BODY_BYTES_PER_CHUNK_MIN } from "./has-too-many-chunks.ts";

// The rest of the largest upload: a browser sends all of a body before it looks at the response.
const REST_BYTES_MAX = 32 * 1024 * 1024;
const REST_TIME_MAX_MS = 10_000;
// Time for the response to get to a client whose connection is ended then.
const LAST_WORD_MS = 500;

/**
 * Reads and discards the rest of the body, because unread it would block the next request on the connection. A rest
 * that is too large, too slow or cut too finely ends the connection instead. Closing at once could cost the client the
 * response: a connection that is closed with unread bytes is reset.
 */
export function dropRest(req: IncomingMessage): void {
  if (req.isPaused()) req.resume();
  if (req.complete || req.destroyed) return;
  const { socket } = req;
  let bytes = 0;
  let pieces = 0;
  let isEnding = false;
  let deadline = setTimeout(() => socket.destroy(), REST_TIME_MAX_MS);
  // Once the response is written, a request that is cut short says nothing of it; its connection does.
  const stop = () => {
    clearTimeout(deadline);
    socket.off("close", stop);
  };
  req.once("end", stop);
  socket.once("close", stop);
  req.on("error", () => undefined);
  req.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    pieces += 1;
    if (bytes > REST_BYTES_MAX) socket.destroy();
    if (isEnding || !hasTooManyChunks(pieces, bytes, LARGE_BODY_BYTES_PER_CHUNK_MIN)) return;
    isEnding = true;
    // The connection and not the request, which would keep what has been read already.
    socket.pause();
    clearTimeout(deadline);
    deadline = setTimeout(() => socket.destroy(), LAST_WORD_MS);
  });
  req.resume();
}
