// Executes one operation: sends its request, repeats it while that is safe and useful, and returns the response without its
// envelope, or throws a TradepostError.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { AnyCallOptions } from "../call-options.ts";
import { positive, type Settings } from "../client-options.ts";
import type { Operation } from "../operation.ts";
import { TradepostError } from "../tradepost-error.ts";
import { VERSION } from "../version.ts";
import { type Failure, failureOfResponse, isRecord, withoutResponse } from "./failure.ts";
import { isRepeatable, TIMER_MS_MAX, waitBeforeNextTry } from "./retry.ts";
import { type HttpRequest, type HttpResponse, send } from "./send.ts";
import { type Parameters, urlOf } from "./url.ts";

export interface Input extends AnyCallOptions {
  readonly path?: Parameters;
  readonly query?: Parameters;
  readonly body?: unknown;
}

interface PageFacts {
  readonly nextCursor: string | null;
  readonly hasMore?: boolean;
  /** In pages of the ledger's deliveries of an hour. */
  readonly digest?: string;
}

export interface Response<Data = unknown> {
  readonly status: number;
  readonly data: Data;
  readonly page?: PageFacts;
  readonly requestId: string;
  /** To send as `ifMatch`; null if the response has none. */
  readonly etag: string | null;
  /** The stored response of an earlier request with the same `Idempotency-Key`. */
  readonly isReplayed: boolean;
  readonly idempotencyKey: string | null;
  /** As received, with every digit. Empty for a file. */
  readonly text: string;
}

export type Request = (operationId: string, operation: Operation, input: Input) => Promise<Response>;

/** The function rejects with a `TradepostError`, or with a TypeError for invalid input. */
export function requester(settings: Settings): Request {
  return (operationId, operation, input) => carryOut({ settings, operationId, operation, input });
}

interface Work {
  readonly settings: Settings;
  readonly operationId: string;
  readonly operation: Operation;
  readonly input: Input;
}

async function carryOut(work: Work): Promise<Response> {
  const { settings, operationId, operation, input } = work;
  // The change takes effect once, whichever try arrives.
  const idempotencyKey = operation.takesKey ? keyOf(input) : null;
  const url = urlOf(settings.baseUrl, operation.path, input.path ?? {}, input.query ?? {});
  const waitMs = waitMsOf(input);
  const timeoutMs = positive("timeoutMs", input.timeoutMs ?? settings.timeoutMs) + waitMs;
  const deadlineMs = positive("deadlineMs", input.deadlineMs ?? settings.deadlineMs) + waitMs;
  const deadlineAt = performance.now() + deadlineMs;
  const attempted = {
    method: operation.method,
    hasIdempotencyKey: idempotencyKey !== null,
    hasIfMatch: input.ifMatch !== undefined,
    random: Math.random,
  };
  const { body, type } = bodyOf(work);
  for (let tries = 1; ; tries += 1) {
    const limits = () => ({
      timeoutMs: Math.min(
        Math.ceil(Math.max(1, Math.min(timeoutMs, deadlineAt - performance.now()))),
        TIMER_MS_MAX,
      ),
      signal: input.signal,
    });
    const { credential, failure } = await credentialWithin(settings, limits());
    const request = (): HttpRequest => ({
      method: operation.method,
      url,
      headers: headersOf(input, credential, idempotencyKey, type),
      body,
      responseBytesMax: settings.responseBytesMax,
      ...limits(),
    });
    const outcome = failure === undefined ? await send(request()) : { failure };
    const read = outcome.failure === undefined ? readResponse(outcome.response, work, credential) : outcome;
    if ("status" in read) return { ...read, idempotencyKey };
    const fail = (failure: Failure) =>
      toError(failure, { work, tries, idempotencyKey, isRepeatable: isRepeatable(attempted), credential });
    const pauseMs = waitBeforeNextTry(read.failure, {
      ...attempted,
      tries,
      remainingMs: deadlineAt - performance.now(),
    });
    if (pauseMs === null) throw fail(read.failure);
    const { code, status } = read.failure;
    settings.onRetry({ operation: operationId, tries, waitMs: pauseMs, code, status });
    await sleep(pauseMs, undefined, { signal: input.signal }).catch(() => {
      throw fail(ABORTED);
    });
  }
}

const ABORTED = withoutResponse("aborted", "the signal has aborted the request", false);

/** A function that never returns a token must not hold the request beyond its limits or its signal. */
function credentialWithin(
  settings: Settings,
  { timeoutMs, signal }: Pick<HttpRequest, "timeoutMs" | "signal">,
): Promise<{ credential: string | null; failure?: Failure }> {
  if (signal?.aborted === true) return Promise.resolve({ credential: null, failure: ABORTED });
  return new Promise((resolve, reject) => {
    const fail = (failure: Failure) => {
      end();
      resolve({ credential: null, failure });
    };
    const abort = () => fail(ABORTED);
    const timer = setTimeout(
      () => fail(withoutResponse("timeout", `no token within ${timeoutMs} ms`, true)),
      timeoutMs,
    );
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    signal?.addEventListener("abort", abort, { once: true });
    settings
      .credential()
      .finally(end)
      .then((credential) => resolve({ credential }), reject);
  });
}

function keyOf({ idempotencyKey = randomUUID() }: Input): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    throw new TypeError("idempotencyKey: must be 1 to 255 visible ASCII characters without a space");
  return idempotencyKey;
}

/** Returns how long the platform may hold the request. A lease says so in its body, a feed in its query. */
function waitMsOf({ query, body }: Input): number {
  const waitSeconds = query?.waitSeconds ?? (isRecord(body) ? body.waitSeconds : undefined);
  return (Number(waitSeconds) || 0) * 1_000;
}

function bodyOf({ settings, operation, input }: Work): Pick<HttpRequest, "body"> & { type?: string } {
  if (input.body === undefined) return {};
  if (operation.input === "form") return { body: formOf(input.body) };
  return { body: settings.stringifyJson(input.body), type: "application/json" };
}

/** got adds the content type, which names the boundary of the parts. */
function formOf(file: unknown): FormData {
  if (!(file instanceof File)) throw new TypeError("file: must be a File, such as new File([bytes], name)");
  const form = new FormData();
  form.append("file", file);
  return form;
}

function headersOf(
  input: Input,
  credential: string | null,
  idempotencyKey: string | null,
  type: string | undefined,
): Record<string, string> {
  return {
    accept: "application/json",
    "user-agent": `tradepost-client/${VERSION} node/${process.versions.node}`,
    ...(credential !== null && { authorization: `Bearer ${credential}` }),
    ...(idempotencyKey !== null && { "idempotency-key": idempotencyKey }),
    ...(type !== undefined && { "content-type": type }),
    ...(input.ifMatch !== undefined && { "if-match": tagOf(input.ifMatch) }),
    ...(input.ifNoneMatch !== undefined && { "if-none-match": tagOf(input.ifNoneMatch) }),
    ...(input.requestId !== undefined && { "x-request-id": input.requestId }),
  };
}

function tagOf(version: number | string): string {
  return typeof version === "number" ? `"${version}"` : version;
}

function readResponse(
  { status, headers, bytes }: HttpResponse,
  { settings, operation }: Work,
  credential: string | null,
): Omit<Response, "idempotencyKey"> | { failure: Failure } {
  const isSuccess = status >= 200 && status < 300;
  const requestId = header(headers, "x-request-id");
  const shown = (value: unknown) => (credential === null ? value : withoutCredential(value, credential));
  const facts = {
    requestId: shown(requestId) as string | null,
    retryAfterSeconds: retryAfterOf(header(headers, "retry-after")),
  };
  const success = {
    status,
    requestId: requestId ?? "",
    etag: header(headers, "etag"),
    isReplayed: header(headers, "idempotent-replayed") === "true",
  };
  if (status === 304 || status === 204) return { ...success, data: undefined, text: "" };
  if (isSuccess && operation.kind === "file") return { ...success, data: bytes, text: "" };
  const text = Buffer.from(bytes).toString("utf8");
  const body = parse(text, settings);
  if (!isSuccess) return { failure: failureOfResponse(status, shown(body), facts) };
  if (operation.kind === "bare" && isRecord(body)) return { ...success, data: body, text };
  if (!isRecord(body) || body.success !== true || !("data" in body)) {
    // The request may have taken effect, and repeating it would give the same response.
    return { failure: { ...failureOfResponse(status, undefined, facts), isTransient: false } };
  }
  const page = isRecord(body.page) ? (body.page as unknown as PageFacts) : undefined;
  return { ...success, data: body.data, text, ...(page !== undefined && { page }) };
}

function parse(text: string, { parseJson }: Settings): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** No field of an error is nested deeper. */
const DEPTH_MAX = 64;

/** Keeps the credential out of logs. Searches parsed values, because JSON text can escape it. */
function withoutCredential(value: unknown, credential: string, depth = 0): unknown {
  if (typeof value === "string") return value.replaceAll(credential, "[credential]");
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEPTH_MAX) return undefined;
  if (Array.isArray(value)) return value.map((one) => withoutCredential(one, credential, depth + 1));
  // Keep the number objects of the caller's parser.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name.replaceAll(credential, "[credential]"),
      withoutCredential(one, credential, depth + 1),
    ]),
  );
}

function header(headers: HttpResponse["headers"], name: string): string | null {
  const value = headers[name];
  return typeof value === "string" ? value : null;
}

const RETRY_AFTER_SECONDS_MAX = 999_999_999;

/** Parses seconds or a date. `Date.parse` would accept `-5`. */
function retryAfterOf(text: string | null): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Math.min(Number(text), RETRY_AFTER_SECONDS_MAX);
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

function toError(
  failure: Failure,
  request: {
    work: Work;
    tries: number;
    idempotencyKey: string | null;
    isRepeatable: boolean;
    credential: string | null;
  },
): TradepostError {
  const { work, tries, idempotencyKey, credential } = request;
  const { method, path } = work.operation;
  const subject = [failure.status, failure.code].filter((part) => part !== null).join(" ");
  const id = failure.requestId === null ? "" : ` (request ${failure.requestId})`;
  const message = `${method} ${path}: ${subject}: ${failure.message}${id}`;
  const cause = failure.code === "aborted" ? work.input.signal?.reason : failure.cause;
  const { isTransient, ...facts } = failure;
  return new TradepostError({
    ...facts,
    message: credential === null ? message : message.replaceAll(credential, "[credential]"),
    operation: work.operationId,
    tries,
    idempotencyKey,
    isRetryable: isTransient && request.isRepeatable,
    ...(cause !== undefined && { cause }),
  });
}
