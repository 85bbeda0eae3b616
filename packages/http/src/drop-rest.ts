// Deals with what is left of a request's body when its response is written before all of the body has arrived (403, 413).
import type { IncomingMessage } from "node:http";

// The rest of the largest upload: a browser sends all of a body before it looks at the response.
const REST_BYTES_MAX = 32 * 1024 * 1024;
const REST_TIME_MAX_MS = 10_000;

/**
 * Reads and discards the rest of the body, because unread it would block the next request on the connection. A rest
 * that is too large or too slow ends the connection instead. Closing at once could cost the client the response: a
 * connection that is closed with unread bytes is reset.
 */
export function dropRest(req: IncomingMessage): void {
  if (req.isPaused()) req.resume();
  if (req.complete || req.destroyed) return;
  const { socket } = req;
  let bytes = 0;
  const deadline = setTimeout(() => socket.destroy(), REST_TIME_MAX_MS);
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
    if (bytes > REST_BYTES_MAX) socket.destroy();
  });
  req.resume();
}
