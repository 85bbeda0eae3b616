// One request and its response, as an undici handler: reads at most the start of the response, within one deadline.
import { StringDecoder } from "node:string_decoder";
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from "node:zlib";
import { type Dispatcher, errors } from "undici";
import type { Outcome } from "../../delivery-status.ts";
import { outcomeOfError } from "./outcome-of-error.ts";

export interface Result {
  readonly outcome: Outcome;
  readonly statusCode: number | null;
  /** The first 2 KiB as text, decoded. */
  readonly responseBody: string | null;
  readonly retryAfterMs: number | null;
  readonly isAnswered: boolean;
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
  #isAnswered = false;
  #statusCode = 0;
  #encoding = "";
  #retryAfterMs: number | null = null;
  #start: Buffer = NOTHING;

  /** Calls `settle` once. */
  constructor(timeoutMs: number, settle: (result: Result) => void) {
    this.#settle = settle;
    this.#timer = setTimeout(endLate, timeoutMs, this);
  }

  /** Ends the exchange, even if it still waits for a connection. */
  endLate(): void {
    this.#isLate = true;
    this.#end(failure(tooLate(), this.#isAnswered));
    this.#controller?.abort(tooLate());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isLate) controller.abort(tooLate());
  }

  onResponseStarted(): void {
    this.#isAnswered = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Any number of interim responses may come before the final one.
    if (statusCode < 200) return;
    this.#statusCode = statusCode;
    if (statusCode === 429 || statusCode === 503) this.#retryAfterMs = retryAfterMs(headers["retry-after"]);
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
    // A response that is longer than what is read of it counts by its status.
    if (error instanceof errors.ResponseExceededMaxSizeError && this.#statusCode > 0) this.#respond();
    else this.#end(failure(error, this.#isAnswered));
  }

  #respond(): void {
    const statusCode = this.#statusCode;
    const isSuccess = statusCode >= 200 && statusCode < 300;
    const stored = decoded(this.#start, this.#encoding).subarray(0, BODY_BYTES_STORED_MAX);
    // Leaves out a last character of which only some bytes are there.
    const responseBody = new StringDecoder("utf8").write(stored).replaceAll("\u0000", "\uFFFD");
    this.#end({
      outcome: isSuccess ? "delivered" : "http_status",
      statusCode,
      responseBody,
      retryAfterMs: this.#retryAfterMs,
      isAnswered: true,
    });
  }

  #end(result: Result): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    // Otherwise the timer would keep the whole attempt in memory until it fires.
    clearTimeout(this.#timer);
    this.#settle(result);
  }
}

// Each can also decode a body whose end is missing.
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

function failure(error: Error, isAnswered: boolean): Result {
  return {
    outcome: outcomeOfError(error),
    statusCode: null,
    responseBody: null,
    retryAfterMs: null,
    isAnswered,
  };
}

function tooLate(): Error {
  return new DOMException("too late", "TimeoutError");
}

// The header Retry-After has seconds, or an HTTP date in any of its three forms (RFC 9110, 5.6.7).
const SECONDS = /^\d+$/;
// `Sun, 06 Nov 1994 08:49:37 GMT`, or the form of RFC 850: `Sunday, 06-Nov-94 08:49:37 GMT`.
const DATE = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
// `Sun Nov  6 08:49:37 1994`, which is in GMT without saying so.
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Null without a wait, or for a time in the past. If there are several headers, the longest time counts. */
export function retryAfterMs(header: string | string[] | undefined, now = Date.now()): number | null {
  const times = [header ?? []].flat().map((text) => msOf(text.trim(), now));
  const longest = Math.max(...times.filter((ms) => ms > 0));
  return longest > 0 ? longest : null;
}

/** NaN for any other text. The date parser alone would accept almost any text with a number in it. */
function msOf(text: string, now: number): number {
  if (SECONDS.test(text)) return Number(text) * 1_000;
  if (DATE.test(text)) return Date.parse(text) - now;
  if (ASCTIME_DATE.test(text)) return Date.parse(`${text} GMT`) - now;
  return Number.NaN;
}
