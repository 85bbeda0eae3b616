// Takes a service's answer: a small one whole, so that one that breaks off becomes a clear failure; a large one as a
// stream, so that the gateway's memory does not grow with it.
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";

/** Larger answers are files; nothing else that a service says comes near it. */
const HELD_BYTES_MAX = 1024 * 1024;

interface Taken {
  readonly bytes?: Buffer;
  readonly stream?: Readable;
  /** The length that was promised, where it is passed on unread. */
  readonly headers: Record<string, string>;
}

/** Rejects where a small answer breaks off; a stream fails by itself. */
export async function readAnswer(method: string, response: Dispatcher.ResponseData): Promise<Taken> {
  const { body, headers, statusCode } = response;
  const length = headers["content-length"];
  const isLarge = Number(length) > HELD_BYTES_MAX;
  // What answers HEAD promises the length of a body that it does not have.
  if (length !== undefined && statusCode !== 401 && (isLarge || method === "HEAD")) {
    return { stream: body, headers: { "content-length": String(length) } };
  }
  if (length !== undefined) return { bytes: Buffer.from(await body.arrayBuffer()), headers: {} };
  return { ...(await held(body)), headers: {} };
}

/** The whole of it, or, where nobody said how long it is and it is large, what came so far and the rest. */
async function held(body: Readable): Promise<Pick<Taken, "bytes" | "stream">> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const coming: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  while (bytes <= HELD_BYTES_MAX) {
    const { done, value } = await coming.next();
    if (done) return { bytes: Buffer.concat(chunks, bytes) };
    chunks.push(value);
    bytes += value.length;
  }
  return { stream: Readable.from(rejoin(chunks, coming), { objectMode: false }) };
}

async function* rejoin(chunks: Buffer[], coming: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
    for (let next = await coming.next(); !next.done; next = await coming.next()) yield next.value;
  } finally {
    // Whoever stops reading ends the service's answer as well.
    await coming.return?.();
  }
}
