// Sends one request with got and reads the whole response. It repeats nothing and follows no redirect. It never passes on got's
// errors, because they contain the request with its credential.
import got from "got";
import { type Failure, isRecord, withoutResponse } from "./failure.ts";

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData | undefined;
  /** From connecting to the last byte of the response. */
  readonly timeoutMs: number;
  /** Decompressed. */
  readonly responseBytesMax: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bytes: Uint8Array;
}

/** Other codes, such as an invalid certificate's, are permanent. */
const TRANSIENT_CODES: readonly unknown[] = [
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "ETIMEDOUT",
  "ERR_HTTP_CONTENT_LENGTH_MISMATCH",
  "ERR_READING_RESPONSE_STREAM",
  "ERR_STREAM_PREMATURE_CLOSE",
];

/** Never rejects. */
export async function send(
  request: HttpRequest,
): Promise<{ response: HttpResponse; failure?: never } | { failure: Failure }> {
  try {
    return { response: await exchange(request) };
  } catch (error) {
    return { failure: failureOf(error, request) };
  }
}

async function exchange(request: HttpRequest): Promise<HttpResponse> {
  const stream = got.stream(request.url, {
    method: request.method as "GET",
    headers: request.headers,
    ...(request.body !== undefined && { body: request.body }),
    timeout: { request: request.timeoutMs },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
  });
  // got would listen to the signal for longer than the request lasts.
  const abort = () => stream.destroy();
  request.signal?.addEventListener("abort", abort, { once: true });
  stream.on("error", () => undefined);
  try {
    // got sends a request without a body when its stream ends.
    if (request.body === undefined && request.method !== "GET") stream.end();
    return await readAll(stream, request.responseBytesMax);
  } finally {
    request.signal?.removeEventListener("abort", abort);
    stream.destroy();
  }
}

async function readAll(stream: ReturnType<typeof got.stream>, bytesMax: number): Promise<HttpResponse> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new TooLargeError(bytesMax);
    chunks.push(chunk);
  }
  const { response } = stream;
  if (response === undefined) throw new Error("no response");
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks, size) };
}

class TooLargeError extends Error {
  constructor(bytesMax: number) {
    super(`the body of the response is above ${bytesMax} bytes`);
  }
}

function failureOf(error: unknown, { signal, timeoutMs }: HttpRequest): Failure {
  if (signal?.aborted === true)
    return withoutResponse("aborted", "the signal has aborted the request", false);
  if (error instanceof TooLargeError) return withoutResponse("invalid_response", error.message, false);
  const { name, code } = isRecord(error) ? error : {};
  if (name === "TimeoutError")
    return withoutResponse("timeout", `no complete response within ${timeoutMs} ms`, true);
  const isTransient = TRANSIENT_CODES.includes(code);
  return withoutResponse(
    "connection_failed",
    `no response: ${describe(error)}`,
    isTransient,
    Object.assign(new Error(describe(error)), typeof code === "string" ? { code } : {}),
  );
}

/** Returns only Node's own code and text: `connect ECONNREFUSED 127.0.0.1:8080`. */
function describe(error: unknown): string {
  const { message, code } = isRecord(error) ? error : {};
  const text = String(message || code || "the connection failed");
  return text.slice(0, 300);
}
