// A client's body too large to hold, on its way to a service: as it arrives, however slowly, as long as it arrives.
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { errors } from "undici";

// Whoever sends nothing for this long holds two connections for nothing.
const STALL_MS = 30_000;

/**
 * The body as it arrives. What the service does not want of it is read and dropped: left unread, it would stand in
 * front of the next request on the client's connection, which then hangs.
 */
export function streamOf(req: IncomingMessage): PassThrough {
  const body = new PassThrough();
  // Whoever reads it hears of a failure from the request that it belongs to.
  body.on("error", () => undefined);
  const stalled = setTimeout(() => body.destroy(new Error("the body stopped coming")), STALL_MS);
  req.on("data", () => stalled.refresh());
  req.pipe(body);
  req.once("close", () => !req.complete && body.destroy(new Error("the body was cut short")));
  body.once("finish", () => clearTimeout(stalled));
  body.once("close", () => {
    clearTimeout(stalled);
    req.resume();
  });
  return body;
}

/**
 * In: a body under way, and how long the service may take to begin its answer once it has all of it. Out: options for
 * undici, whose own clock starts with the request and would take a slow upload for a slow service; and `answered`, to
 * be called when the answer has begun or failed.
 */
export function patience(body: PassThrough, timeoutMs: number) {
  const tooLate = new AbortController();
  let clock: NodeJS.Timeout | undefined;
  const start = () => {
    clock = setTimeout(() => tooLate.abort(new errors.HeadersTimeoutError()), timeoutMs);
  };
  body.once("end", start);
  return {
    options: { headersTimeout: 0, signal: tooLate.signal },
    answered: () => {
      body.off("end", start);
      clearTimeout(clock);
    },
  };
}
