// One exchange with a service: a complete response or a clear failure, never half a response. Bodies too large for memory are
// streamed.
import type { IncomingHttpHeaders } from "node:http";
import { PassThrough } from "node:stream";
import {
  type AcquireSlot,
  ApiError,
  type ApiResponse,
  BODY_BYTES_MAX,
  type FieldFault,
  type Principal,
  principalHeaders,
  REFUSED_HEADER,
  type Refusal,
  type RequestContext,
} from "@tradepost/http";
import { type Dispatcher, errors, Pool } from "undici";
import { readResponse } from "./read-response.ts";
import type { RequestBody } from "./request-body.ts";
import { proxyFailure, upstreamFailure } from "./upstream-failure.ts";
import type { RouteOfResponse } from "./upstreams.ts";

// Nothing else is copied, so a client cannot send a header that a service trusts.
const REQUEST_HEADERS = [
  "accept",
  "content-type",
  "content-encoding",
  "idempotency-key",
  "if-match",
  "if-none-match",
  "range",
  "if-range",
];
const RESPONSE_HEADERS = [
  "content-type",
  "location",
  "link",
  "allow",
  "etag",
  "retry-after",
  "idempotent-replayed",
  "cache-control",
  "content-disposition",
  "accept-ranges",
  "content-range",
  "content-security-policy",
  "cross-origin-resource-policy",
  "x-content-type-options",
];

export interface Upstream {
  readonly pool: Pool;
  readonly takeConnection: AcquireSlot;
  readonly secret: string;
  readonly timeoutMs: number;
  readonly routeOf: RouteOfResponse;
  readonly noteSignature: (refusedFor: string | null) => void;
}

export interface Outgoing extends Pick<RequestContext, "requestId" | "traceparent"> {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: RequestBody;
  /** `workMs` is the work on a heavy response, `caused` the ids of the request's events. */
  readonly onResponse?: (noted: { route: string; workMs: number; caused: readonly string[] }) => void;
}

export interface EndOfWait {
  readonly gone: AbortSignal;
  readonly noWaits: AbortSignal;
}

export async function exchange(
  upstream: Upstream,
  principal: Principal,
  { method, path, headers: requestHeaders, body, requestId, traceparent, onResponse }: Outgoing,
  wait?: EndOfWait,
): Promise<ApiResponse> {
  const { bytes, stream, timeout, headers } = bodyToSend(body, upstream.timeoutMs);
  const copied = pickHeaders(requestHeaders, REQUEST_HEADERS);
  // The service refuses an oversized body by its length.
  const signed = body.kind === "upload" ? "streamed" : (bytes ?? undefined);
  try {
    const upstreamResponse = await upstream.pool.request({
      method,
      path,
      body: stream ?? bytes,
      ...(wait && { signal: AbortSignal.any([wait.gone, wait.noWaits]) }),
      ...timeout?.options,
      headers: {
        ...copied,
        ...headers,
        ...principalHeaders(
          principal,
          { method, path, requestId, traceparent, idempotencyKey: copied["idempotency-key"], body: signed },
          upstream.secret,
        ),
      },
    });
    timeout?.stop();
    const { "x-route": route, "x-work-ms": workMs, "x-caused-events": caused } = upstreamResponse.headers;
    onResponse?.({
      route: upstream.routeOf(route),
      workMs: Number(workMs) || 0,
      caused: typeof caused === "string" ? caused.split(",") : [],
    });
    const failure = proxyFailure(upstreamResponse.statusCode, upstreamResponse.headers);
    if (failure !== null) {
      await upstreamResponse.body.dump();
      throw failure;
    }
    const response = await readResponse(method, upstreamResponse);
    // The gateway's fault, not the caller's.
    if (upstreamResponse.statusCode === 401) {
      const reason = String(upstreamResponse.headers[REFUSED_HEADER] ?? "unknown");
      upstream.noteSignature(reason);
      throw new Error(`the service did not accept the gateway's signature: ${reason}`);
    }
    // A service that is starting has not checked the signature.
    if (upstreamResponse.statusCode < 500) upstream.noteSignature(null);
    const refusal = upstreamResponse.statusCode < 400 ? undefined : refusalIn(response.bytes);
    return {
      ...response,
      status: upstreamResponse.statusCode,
      ...(refusal !== undefined && { refusal }),
      headers: { ...pickHeaders(upstreamResponse.headers, RESPONSE_HEADERS), ...response.headers },
    };
  } catch (error) {
    if (wait?.gone.aborted) throw new ApiError("bad_request", "The client closed the connection.");
    if (wait?.noWaits.aborted)
      throw new ApiError("service_unavailable", "The gateway is stopping; try again.");
    throw error instanceof ApiError ? error : upstreamFailure(error);
  } finally {
    timeout?.stop();
    stream?.destroy();
  }
}

function refusalIn(bytes: Buffer | undefined): Refusal | undefined {
  try {
    const { code, message, details = [] } = JSON.parse(String(bytes)).error;
    if (typeof code !== "string") return undefined;
    return { code, message: String(message), paths: details.map(({ path }: FieldFault) => String(path)) };
  } catch {
    return undefined;
  }
}

function bodyToSend(body: RequestBody, timeoutMs: number) {
  if (body.kind === "none") return { bytes: null, headers: {} };
  if (body.kind === "whole") return { bytes: body.bytes, headers: {} };
  const timeout = responseTimeout(timeoutMs);
  if (body.kind === "oversized") {
    timeout.start();
    return { bytes: null, stream: oversizedBody(), timeout, headers: { "content-length": OVERSIZED_LENGTH } };
  }
  const stream = body.stream();
  stream.once("end", timeout.start);
  return {
    bytes: null,
    stream,
    timeout,
    headers: body.length === undefined ? {} : { "content-length": body.length },
  };
}

/** undici's own timeout does not run while a body is being sent. */
function responseTimeout(timeoutMs: number) {
  const aborter = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  return {
    options: { headersTimeout: 0, signal: aborter.signal },
    start: () => {
      if (!isOver) timer = setTimeout(() => aborter.abort(new errors.HeadersTimeoutError()), timeoutMs);
    },
    stop: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

const OVERSIZED_LENGTH = String(BODY_BYTES_MAX + 1);

/**
 * One byte in place of a body that is too large. The service, which decides whether 403 comes before the 413 (interface §1),
 * refuses it by its `Content-Length`, one byte more than it reads.
 */
function oversizedBody(): PassThrough {
  const body = new PassThrough();
  // The upstream request reports it.
  body.on("error", () => undefined);
  body.write(" ");
  return body;
}

const CONNECT_TIMEOUT_MS = 2_000;

export function openPool(url: string, timeoutMs: number, connections: number): Pool {
  return new Pool(url, {
    connections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
}

export function pickHeaders(
  headers: Record<string, string | string[] | undefined>,
  names: readonly string[],
): Record<string, string> {
  const picked = names.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])] as const],
  );
  return Object.fromEntries(picked);
}
