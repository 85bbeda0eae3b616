// Writes an answer that is too large to hold: as fast as the client takes it, and never half of it as if it were whole.
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

// A client that takes nothing for this long is gone, or means to hold what we have open.
const STALL_MS = 60_000;

/**
 * In: a response whose headers are written, the body, and the length that they promised, if any. Resolves when all is
 * handed over; rejects, with both ends destroyed, where the body fails or ends short or the client goes.
 */
export async function writeStream(
  res: ServerResponse,
  body: Readable,
  promised: string | undefined,
): Promise<void> {
  if (res.req.method === "HEAD") {
    drop(body);
    res.end();
    return;
  }
  res.setTimeout(STALL_MS, () => res.destroy());
  await pipeline(body, (chunks) => whole(chunks, promised), res);
}

/** Ends a stream that nobody reads; what it says to that concerns nobody. */
export function drop(body: Readable): void {
  body.on("error", () => undefined);
  body.destroy();
}

/** Passes on what comes, and fails where fewer or more bytes came than were promised. */
async function* whole(chunks: AsyncIterable<Buffer>, promised: string | undefined): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    yield chunk;
  }
  if (promised !== undefined && bytes !== Number(promised)) {
    throw new Error(`the answer has ${bytes} bytes of ${promised}`);
  }
}
