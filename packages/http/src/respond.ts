// Responds to each request exactly once: assigns its id and trace, runs the work, maps errors to the envelope, and writes the log
// line and the metrics.
import type { IncomingMessage, ServerResponse } from "node:http";
import { writeJson } from "@tradepost/json";
import {
  childTraceparent,
  type Logger,
  type Metrics,
  NO_TRACER,
  type Span,
  type Tracer,
  traceIdOf,
  withoutRedaction,
  withRequestId,
} from "@tradepost/runtime";
import { checkResponse } from "#check-response";
import { ApiError, errorBody } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import { crossOriginHeaders, type OpenToOrigins } from "./cross-origin.ts";
import { dropRest } from "./drop-rest.ts";
import { acceptsBrotli, applyGzip, createGzip, gzip } from "./gzip.ts";
import type { Principal } from "./principal.ts";
import type { RefusedChanges } from "./refused-changes.ts";
import type { RequestContext } from "./request-context.ts";
import { requestIdOf } from "./request-id.ts";
import type { Route } from "./route.ts";
import { discard, STALL_MS, writeStream } from "./write-stream.ts";

type Respond = (
  req: IncomingMessage,
  res: ServerResponse,
  /** The route, or a label for metrics and logs if the request has none. */
  route: Route | string,
  work: (context: RequestContext) => Promise<ApiResponse>,
) => Promise<void>;

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const RETRY_AFTER_SECONDS = "2";
// Smaller bodies are copied for each response.
const COPIED_BYTES_MAX = 64 * 1024;

/** A request after its response. */
export interface FinishedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the route. */
  readonly route: string;
  readonly status: number;
  /** The error code; null for a success. */
  readonly code: string | null;
  /** Undefined if the request was not authenticated. */
  readonly principal: Principal | undefined;
  /** The time when the request arrived. */
  readonly at: Date;
  readonly durationMs: number;
  /** The size of the body according to the request's headers. */
  readonly requestBytes: number;
  /** The size of the body that was written, before compression. */
  readonly responseBytes: number;
}

/** Returns the function that responds to a server's requests. It never rejects. */
export function createResponder(options: {
  logger: Logger;
  metrics: Metrics;
  changes: RefusedChanges;
  isUnavailable: (error: unknown) => boolean;
  /** True while connections are to be closed after their next response. */
  isStopping: () => boolean;
  /** True if large responses are compressed for clients that accept it. */
  compresses: boolean;
  tracer?: Tracer;
  /** True if responses name their route in the header `x-route`, and the time of heavy work in `x-work-ms`. */
  namesRoutes: boolean;
  /** The paths that pages of any origin may use. */
  isOpenToOrigins: OpenToOrigins;
  onRequest?: (request: FinishedRequest) => void;
}): Respond {
  const {
    logger,
    changes,
    isUnavailable,
    isStopping,
    compresses,
    namesRoutes,
    tracer = NO_TRACER,
    onRequest,
  } = options;
  const requests = withoutRedaction(logger);
  const durations = options.metrics.histogram(
    "http_request_duration_seconds",
    "From the request's headers to the end of the response.",
    ["method", "route", "status"],
    BUCKETS_SECONDS,
  );
  const replays = options.metrics.counter(
    "idempotency_replays_total",
    "Responses to a repeated Idempotency-Key: the first response again, and nothing was changed.",
  );
  return (req, res, route, work) => {
    const startedAt = performance.now();
    const actions: ((responseBytes: number) => void)[] = [];
    const context: RequestContext = {
      req,
      requestId: requestIdOf(req),
      traceparent: childTraceparent(String(req.headers.traceparent)),
      responseHeaders: { ...crossOriginHeaders(req, options.isOpenToOrigins) },
      atEnd: (action) => void actions.push(action),
    };
    const respondOnce = async () => {
      const toFailure = (error: unknown) => failure(error, context, isUnavailable, logger, changes);
      const worked = await work(context).catch(toFailure);
      const response = typeof route === "string" ? worked : checked(route, worked, toFailure);
      if (namesRoutes && typeof route !== "string") {
        context.responseHeaders["x-route"] = route.path;
        if (context.workMs !== undefined) context.responseHeaders["x-work-ms"] = context.workMs.toFixed(1);
      }
      // An idle connection would delay the stop until its deadline.
      if (isStopping()) context.responseHeaders.connection = "close";
      dropRest(req, res);
      const written = { bytes: 0 };
      await write(res, response, context, compresses, written).catch((error: unknown) =>
        logger.warn({ err: error }, "the response was cut off"),
      );
      for (const action of actions) action(written.bytes);
      // A request with a label was handled by another service, which counts the replay itself.
      if (typeof route !== "string") {
        if (response.headers?.["idempotent-replayed"] === "true") replays.inc();
        else if (route.method !== "GET" && response.status < 300) changes.noteSuccess();
      }
      const routeLabel = typeof route === "string" ? (context.route ?? route) : route.path;
      const durationMs = performance.now() - startedAt;
      durations.observe(
        { method: req.method ?? "", route: routeLabel, status: String(response.status) },
        durationMs / 1000,
      );
      requests.info(summary(context, routeLabel, response, durationMs), "request");
      onRequest?.(finished(context, routeLabel, response, { durationMs, responseBytes: written.bytes }));
      if (tracer.isOn) tracer.record(spanOf(context, routeLabel, response.status, durationMs));
    };
    return withRequestId(context.requestId, respondOnce, context.traceparent);
  };
}

/** In tests, returns a 500 in place of a response that does not match the API description. */
function checked(
  route: Route,
  response: ApiResponse,
  toFailure: (error: unknown) => ApiResponse,
): ApiResponse {
  try {
    checkResponse(route, response);
    return response;
  } catch (error) {
    return toFailure(error);
  }
}

function failure(
  error: unknown,
  context: RequestContext,
  isUnavailable: (error: unknown) => boolean,
  logger: Logger,
  changes: RefusedChanges,
): ApiResponse {
  const expected = toApiError(error, isUnavailable);
  if (expected.status >= 500 && !changes.note(error))
    logger.error({ err: error, cause: expected.cause }, "request failed");
  const headers =
    expected.code === "unauthorized"
      ? { "www-authenticate": "Bearer", ...expected.headers }
      : expected.headers;
  return {
    status: expected.status,
    headers,
    body: { success: false, error: errorBody(expected, context.requestId) },
  };
}

function toApiError(error: unknown, isUnavailable: (error: unknown) => boolean): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error)) {
    return new ApiError("service_unavailable", "The service is temporarily unavailable; try again.", {
      headers: { "retry-after": RETRY_AFTER_SECONDS },
    });
  }
  return new ApiError("internal_error", "Something went wrong on our side.");
}

async function write(
  res: ServerResponse,
  response: ApiResponse,
  context: RequestContext,
  compresses: boolean,
  written: { bytes: number },
): Promise<void> {
  const { status, body, bytes, gzipped, brotli, stream } = response;
  if (res.headersSent || res.destroyed) {
    if (stream !== undefined) discard(stream);
    return;
  }
  const headers: Record<string, string | number | string[]> = {
    ...(bytes === undefined && stream === undefined && { "content-type": "application/json; charset=utf-8" }),
    ...cachingOf(response),
    ...context.responseHeaders,
    ...response.headers,
    ...(response.cookies && { "set-cookie": [...response.cookies] }),
    "x-request-id": context.requestId,
  };
  if (stream !== undefined) {
    const contentLength = response.headers?.["content-length"];
    const length = contentLength === undefined ? undefined : Number(contentLength);
    const compress = compresses && applyGzip(res.req, headers, status, length) ? createGzip() : undefined;
    res.writeHead(status, headers);
    return await writeStream(res, stream, { contentLength, compress, written });
  }
  // Node writes headers and a text body in one packet, but headers and bytes in two, which costs more.
  const [content, encoding] =
    bytes === undefined ? [writeJson(body), "utf8" as const] : [textOf(bytes), "latin1" as const];
  // A 304 has no body. Its length would be the length of the body that the client has.
  if (status !== 304 && status !== 204) headers["content-length"] = Buffer.byteLength(content, encoding);
  if (compresses && brotli !== undefined && acceptsBrotli(res.req)) {
    const coded = { "content-encoding": "br", vary: "Accept-Encoding", "content-length": brotli.length };
    res.writeHead(status, { ...headers, ...coded });
    await end(res, res.req.method === "HEAD" ? "" : brotli);
    return;
  }
  const length = Number(headers["content-length"]);
  if (res.req.method !== "HEAD") written.bytes = length || 0;
  if (compresses && applyGzip(res.req, headers, status, length, gzipped !== undefined)) {
    const isHead = res.req.method === "HEAD";
    const compress = () => gzip(bytes ?? Buffer.from(String(content), encoding));
    const compressed = gzipped ?? (isHead ? undefined : await compress());
    if (compressed !== undefined) headers["content-length"] = compressed.length;
    res.writeHead(status, headers);
    await end(res, isHead ? "" : (compressed ?? ""));
    return;
  }
  res.writeHead(status, headers);
  await end(res, res.req.method === "HEAD" ? "" : content, encoding);
}

/**
 * Returns the default caching headers of JSON. Responses may contain personal data, so only the client may keep them, and must
 * revalidate (interface §1).
 */
function cachingOf({ status, body, headers }: ApiResponse): Readonly<Record<string, string>> {
  const isJson = headers?.["content-type"]?.startsWith("application/json") ?? body !== undefined;
  if (!isJson && status !== 304) return {};
  return {
    "x-content-type-options": "nosniff",
    "cache-control": headers?.etag === undefined ? "no-store" : "private, no-cache",
  };
}

/** Ends the response. Resolves when the kernel has all of its bytes, because they stay in this process until then. */
async function end(res: ServerResponse, content: string | Buffer, encoding?: BufferEncoding): Promise<void> {
  // The client may have disconnected during the compression.
  if (res.destroyed) return;
  if (encoding === undefined) res.end(content);
  else res.end(content, encoding);
  // A response without a socket waits behind another one.
  if (res.socket?.writableLength === 0) return;
  res.setTimeout(STALL_MS, () => res.destroy());
  await new Promise((resolve) => res.once("close", resolve));
}

function textOf(bytes: Buffer): string | Buffer {
  return bytes.length > COPIED_BYTES_MAX ? bytes : bytes.toString("latin1");
}

function spanOf(context: RequestContext, routeLabel: string, status: number, durationMs: number): Span {
  const { req, traceparent, requestId } = context;
  return {
    name: `${req.method} ${routeLabel}`,
    kind: "server",
    traceparent,
    parent: String(req.headers.traceparent),
    durationMs,
    attributes: {
      "http.request.method": req.method,
      "http.route": routeLabel,
      "http.response.status_code": status,
      "tradepost.request_id": requestId,
    },
    hasFailed: status >= 500,
  };
}

function finished(
  { req, requestId, principal }: RequestContext,
  route: string,
  response: ApiResponse,
  { durationMs, responseBytes }: { durationMs: number; responseBytes: number },
): FinishedRequest {
  return {
    ...{ requestId, method: req.method ?? "", route, status: response.status, code: codeOf(response) },
    ...{ principal, at: new Date(Date.now() - durationMs), durationMs: Math.round(durationMs) },
    ...{ requestBytes: Number(req.headers["content-length"] ?? 0) || 0, responseBytes },
  };
}

// The code is the first field in the text of an error.
const CODE = /^\{"success":false,"error":\{"code":"(\w+)"/;
const CODE_BYTES_MAX = 100;

function codeOf({ status, body, bytes }: ApiResponse): string | null {
  if (status < 400) return null;
  if (bytes !== undefined) return CODE.exec(bytes.toString("latin1", 0, CODE_BYTES_MAX))?.[1] ?? null;
  return (body as { error?: { code?: string } } | undefined)?.error?.code ?? null;
}

/** Returns the fields of a request's log line. They omit the query, which may contain personal data. */
function summary(context: RequestContext, routeLabel: string, response: ApiResponse, durationMs: number) {
  return {
    method: context.req.method,
    path: context.req.url?.split("?", 1)[0],
    route: routeLabel,
    status: response.status,
    durationMs: Math.round(durationMs * 10) / 10,
    tenantId: context.principal?.tenantId,
    actorId: context.principal?.actor.id,
    traceId: traceIdOf(context.traceparent),
  };
}
