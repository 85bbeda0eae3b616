// Bounds what is read of a body after its response: a client that was refused in the middle of its body gets the response
// and may go on using the connection, but not send for ever.
import type { IncomingMessage, ServerResponse } from "node:http";

// The rest of the largest upload, and a margin.
const REST_BYTES_MAX = 32 * 1024 * 1024;
const REST_TIME_MAX_MS = 10_000;
const CHECK_MS = 250;

/** Ends the connection of a request whose body goes on for too long after its response; does nothing where none does. */
export function boundRest(req: IncomingMessage, res: ServerResponse): void {
  const { "content-length": length, "transfer-encoding": chunked } = req.headers;
  if (length === undefined && chunked === undefined) return;
  res.once("finish", () => {
    if (!req.complete) watch(req);
  });
}

function watch(req: IncomingMessage): void {
  const { socket } = req;
  const bytesBefore = socket.bytesRead;
  const startedAt = performance.now();
  const check = setInterval(() => {
    const isOver = req.complete || socket.destroyed;
    const isTooMuch =
      socket.bytesRead - bytesBefore > REST_BYTES_MAX || performance.now() - startedAt > REST_TIME_MAX_MS;
    if (isTooMuch && !isOver) socket.destroy();
    if (isTooMuch || isOver) clearInterval(check);
  }, CHECK_MS);
  check.unref();
}
