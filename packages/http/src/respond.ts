// Responds to each request exactly once: assigns its id and trace, runs the work, maps errors to the envelope, writes log line
// and metrics.
import type { IncomingMessage, ServerResponse } from "node:http";
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
import type { ApiResponse, Refusal } from "./api-response.ts";
import { crossOriginHeaders, type OpenToOrigins } from "./cross-origin.ts";
import { dropRest } from "./drop-rest.ts";
import type { Principal } from "./principal.ts";
import { queryOf } from "./read-query.ts";
import type { RefusedChanges } from "./refused-changes.ts";
import { type RequestContext, requestIdOf } from "./request-context.ts";
import type { Route } from "./route.ts";
import { writeResponse } from "./write-response.ts";

export type Respond = (
  req: IncomingMessage,
  res: ServerResponse,
  /** A text is the label of a request without a route, for metrics and logs. */
  route: Route | string,
  work: (context: RequestContext) => Promise<ApiResponse>,
) => Promise<void>;

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const RETRY_AFTER_SECONDS = "2";
// Their ids fit into the headers that the gateway accepts.
const CAUSED_MAX = 100;

export interface FinishedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  readonly status: number;
  readonly refusal: Refusal | null;
  /** The ids of the events that it caused, at most 100. */
  readonly caused: readonly string[];
  readonly principal: Principal | undefined;
  readonly at: Date;
  readonly durationMs: number;
  readonly requestBytes: number;
  /** Before compression. */
  readonly responseBytes: number;
}

export interface ResponderOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly changes: RefusedChanges;
  /** Temporary errors of a dependency become 503. */
  readonly isUnavailable: (error: unknown) => boolean;
  readonly isStopping: () => boolean;
  /** JSON above 4 KiB, for clients that accept it. */
  readonly compresses?: boolean;
  readonly tracer?: Tracer;
  /** Sends the gateway the route's pattern (`x-route`), for metrics, and the time of heavy work (`x-work-ms`), to charge. */
  readonly namesRoutes?: boolean;
  /** Paths for other origins, with a bearer credential; none by default. */
  readonly isOpenToOrigins?: OpenToOrigins;
  /** Called after each response, except to probes. */
  readonly onRequest?: (request: FinishedRequest) => void;
  /** Called with each error that a request gets. */
  readonly onRefused?: (error: ApiError) => void;
}

/** The returned function never rejects. */
export function createResponder(options: ResponderOptions): Respond {
  const { logger, changes, isStopping, namesRoutes, tracer = NO_TRACER, onRequest } = options;
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
      caused: [],
      atEnd: (action) => void actions.push(action),
    };
    const respondOnce = async () => {
      const toFailure = (error: unknown) => failure(error, context, options);
      // In tests, a response that does not match the API description becomes a 500.
      const check = (made: ApiResponse) => {
        if (typeof route !== "string") checkResponse(route, made);
        return made;
      };
      const response = await work(context).catch(toFailure).then(check).catch(toFailure);
      if (namesRoutes && typeof route !== "string") {
        context.responseHeaders["x-route"] = route.path;
        if (context.workMs !== undefined) context.responseHeaders["x-work-ms"] = context.workMs.toFixed(1);
        const caused = causedBy(context, response);
        if (caused.length > 0) context.responseHeaders["x-caused-events"] = caused.join();
      }
      // An idle connection would delay the stop.
      if (isStopping()) context.responseHeaders.connection = "close";
      dropRest(req, res);
      const written = { bytes: 0 };
      await writeResponse(res, response, context, options.compresses === true, written).catch(
        (error: unknown) => logger.warn({ err: error }, "the response was cut off"),
      );
      for (const action of actions) action(written.bytes);
      // Another service handled it and counts the replay.
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

function failure(
  error: unknown,
  context: RequestContext,
  { isUnavailable, logger, changes, onRefused }: ResponderOptions,
): ApiResponse {
  const expected = toApiError(error, isUnavailable);
  onRefused?.(expected);
  if (expected.status >= 500 && !changes.note(error))
    logger.error({ err: error, cause: expected.cause }, "request failed");
  const headers =
    expected.code === "unauthorized"
      ? { "www-authenticate": "Bearer", ...expected.headers }
      : expected.headers;
  return {
    status: expected.status,
    refusal: refusalOf(expected),
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

function causedBy({ caused }: RequestContext, { status }: ApiResponse): readonly string[] {
  return status < 300 ? caused.slice(0, CAUSED_MAX) : [];
}

function refusalOf({ code, message, details = [] }: ApiError): Refusal {
  return { code, message, paths: details.map(({ path }) => path) };
}

function finished(
  context: RequestContext,
  route: string,
  response: ApiResponse,
  { durationMs, responseBytes }: { durationMs: number; responseBytes: number },
): FinishedRequest {
  const { req, requestId, principal } = context;
  return {
    ...{
      requestId,
      method: req.method ?? "",
      route,
      query: queryOf(req.url ?? ""),
      status: response.status,
      refusal: response.refusal ?? null,
    },
    caused: causedBy(context, response),
    ...{ principal, at: new Date(Date.now() - durationMs), durationMs: Math.round(durationMs) },
    ...{ requestBytes: Number(req.headers["content-length"] ?? 0) || 0, responseBytes },
  };
}

/** Omits the query, which may contain personal data. */
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
