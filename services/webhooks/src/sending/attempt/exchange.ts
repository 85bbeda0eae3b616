// One request and its response, as an undici handler: reads at most the start of the response, within one deadline.
import { StringDecoder } from "node:string_decoder";
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from "node:zlib";
import { type Dispatcher, errors } from "undici";
import { holdMsOf } from "../next-attempt.ts";

export interface Result {
  /** Why there is no response; null if there is one. */
  readonly error: Error | null;
  readonly statusCode: number | null;
  /** The first 2 KiB as text, decoded. */
  readonly responseBody: string | null;
  readonly holdMs: number | null;
  /** From the request to the first byte of the response; null without a response. */
  readonly firstByteMs: number | null;
}

const BODY_BYTES_STORED_MAX = 2 * 1024;
// Limits the decoded start of a compressed body. A body that decodes to more is stored undecoded: it may be a decompression bomb.
const DECODED_BYTES_MAX = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/** A class, because undici calls its methods: functions would be created again for each attempt. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: (result: Result) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #isLate = false;
  #isSettled = false;
  #startedAt = 0;
  #firstByteMs: number | null = null;
  #statusCode = 0;
  #encoding = "";
  #holdMs: number | null = null;
  #start: Buffer = NOTHING;

  constructor(timeoutMs: number, settle: (result: Result) => void) {
    this.#settle = settle;
    this.#timer = setTimeout(endLate, timeoutMs, this);
  }

  /** Ends the exchange, even if it still waits for a connection. */
  endLate(): void {
    this.#isLate = true;
    this.#fail(tooLate());
    this.#controller?.abort(tooLate());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#startedAt = performance.now();
    if (this.#isLate) controller.abort(tooLate());
  }

  onResponseStarted(): void {
    this.#firstByteMs ??= Math.round(performance.now() - this.#startedAt);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Any number of interim responses may come before the final one.
    if (statusCode < 200) return;
    this.#statusCode = statusCode;
    this.#holdMs = holdMsOf(statusCode, headers["retry-after"]);
    this.#encoding = String(headers["content-encoding"] ?? "").toLowerCase();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const wanted = BODY_BYTES_STORED_MAX - this.#start.length;
    if (wanted <= 0) return;
    const start = chunk.subarray(0, wanted);
    this.#start = this.#start.length === 0 ? start : Buffer.concat([this.#start, start]);
  }

  onResponseEnd(): void {
    this.#respond();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // A response longer than the read limit counts by its status.
    if (error instanceof errors.ResponseExceededMaxSizeError && this.#statusCode > 0) this.#respond();
    else this.#fail(error);
  }

  #fail(error: Error): void {
    this.#end({ error, statusCode: null, responseBody: null, holdMs: null, firstByteMs: this.#firstByteMs });
  }

  #respond(): void {
    const stored = decoded(this.#start, this.#encoding).subarray(0, BODY_BYTES_STORED_MAX);
    // Leaves out an incomplete last character.
    const responseBody = new StringDecoder("utf8").write(stored).replaceAll("\u0000", "\uFFFD");
    const [statusCode, holdMs] = [this.#statusCode, this.#holdMs];
    this.#end({ error: null, statusCode, responseBody, holdMs, firstByteMs: this.#firstByteMs });
  }

  #end(result: Result): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    // Otherwise the timer would keep the whole attempt in memory until it fires.
    clearTimeout(this.#timer);
    this.#settle(result);
  }
}

// Each decoder accepts a body whose end is missing.
const GZIP = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: DECODED_BYTES_MAX };
const DECODERS: Readonly<Record<string, (start: Buffer) => Buffer>> = {
  gzip: (start) => gunzipSync(start, GZIP),
  "x-gzip": (start) => gunzipSync(start, GZIP),
  deflate: (start) => inflateSync(start, GZIP),
  br: (start) =>
    brotliDecompressSync(start, {
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
      maxOutputLength: DECODED_BYTES_MAX,
    }),
};

/** Some receivers compress although `Accept-Encoding` is `identity`. */
function decoded(start: Buffer, encoding: string): Buffer {
  if (!Object.hasOwn(DECODERS, encoding)) return start;
  try {
    return DECODERS[encoding]?.(start) ?? start;
  } catch {
    return start;
  }
}

function endLate(exchange: Exchange): void {
  exchange.endLate();
}

function tooLate(): Error {
  return new DOMException("too late", "TimeoutError");
}
