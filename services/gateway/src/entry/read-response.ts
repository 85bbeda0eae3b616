// Reads a small response whole, so that one that is cut off becomes a clear failure; streams a large one.
import { Readable } from "node:stream";
import type { ApiResponse } from "@tradepost/http";
import type { Dispatcher } from "undici";

/** Only files are larger than this; other responses are far smaller. */
const BUFFERED_BYTES_MAX = 1024 * 1024;

type ResponseBody = Pick<ApiResponse, "bytes" | "stream">;

/** A streamed body fails if it is cut off. */
export async function readResponse(
  method: string,
  response: Dispatcher.ResponseData,
): Promise<ResponseBody & { headers: Record<string, string> }> {
  const { body, headers, statusCode } = response;
  const length = headers["content-length"];
  const isLarge = Number(length) > BUFFERED_BYTES_MAX;
  // The response to HEAD has the Content-Length of the GET, and no body.
  if (statusCode !== 401 && (isLarge || method === "HEAD")) {
    return { stream: body, headers: length === undefined ? {} : { "content-length": String(length) } };
  }
  if (length !== undefined) return { bytes: Buffer.from(await body.arrayBuffer()), headers: {} };
  return { ...(await bufferOrStream(body)), headers: {} };
}

/** A stream begins with what was read so far. */
async function bufferOrStream(body: Readable): Promise<ResponseBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const rest: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  while (bytes <= BUFFERED_BYTES_MAX) {
    const { done, value } = await rest.next();
    if (done) return { bytes: Buffer.concat(chunks, bytes) };
    chunks.push(value);
    bytes += value.length;
  }
  return { stream: Readable.from(rejoin(chunks, rest), { objectMode: false }) };
}

async function* rejoin(chunks: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    // A client that stops reading also ends the service's response.
    await rest.return?.();
  }
}
