// Turns a request into exactly one response: assigns its id and trace, runs the work, maps errors to the envelope, and writes
// the log line and the metric.
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  childTraceparent,
  type Logger,
  type Metrics,
  withoutRedaction,
  withRequestId,
} from "@tradepost/runtime";
import { ApiError, errorBody } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import { dropRest } from "./drop-rest.ts";
import type { RequestContext } from "./request-context.ts";
import { requestIdOf } from "./request-id.ts";
import { discard, writeStream } from "./write-stream.ts";

type Respond = (
  req: IncomingMessage,
  res: ServerResponse,
  routeLabel: string,
  work: (context: RequestContext) => Promise<ApiResponse>,
) => Promise<void>;

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const RETRY_AFTER_SECONDS = "2";

/** Returns the function that responds to the requests of a server. It never rejects. */
export function createResponder(options: {
  logger: Logger;
  metrics: Metrics;
  isUnavailable: (error: unknown) => boolean;
  /** True if connections are to be closed after their next response. */
  isStopping: () => boolean;
}): Respond {
  const { logger, isUnavailable, isStopping } = options;
  const requests = withoutRedaction(logger);
  const durations = options.metrics.histogram(
    "http_request_duration_seconds",
    "From the request's headers to the end of the response.",
    ["method", "route", "status"],
    BUCKETS_SECONDS,
  );
  return (req, res, routeLabel, work) => {
    const startedAt = performance.now();
    const actions: (() => void)[] = [];
    const context: RequestContext = {
      req,
      requestId: requestIdOf(req),
      traceparent: childTraceparent(String(req.headers.traceparent)),
      responseHeaders: {},
      atEnd: (action) => void actions.push(action),
    };
    return withRequestId(context.requestId, async () => {
      const response = await work(context).catch((error: unknown) =>
        failure(error, context, isUnavailable, logger),
      );
      // An idle connection would delay the stop until its deadline.
      if (isStopping()) context.responseHeaders.connection = "close";
      dropRest(req, res);
      await write(res, response, context).catch((error: unknown) =>
        logger.warn({ err: error }, "the response was cut off"),
      );
      for (const action of actions) action();
      const durationMs = performance.now() - startedAt;
      durations.observe(
        { method: req.method ?? "", route: routeLabel, status: String(response.status) },
        durationMs / 1000,
      );
      requests.info(summary(context, routeLabel, response, durationMs), "request");
    });
  };
}

function failure(
  error: unknown,
  context: RequestContext,
  isUnavailable: (error: unknown) => boolean,
  logger: Logger,
): ApiResponse {
  const expected = toApiError(error, isUnavailable);
  if (expected.status >= 500) logger.error({ err: error, cause: expected.cause }, "request failed");
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

async function write(res: ServerResponse, response: ApiResponse, context: RequestContext): Promise<void> {
  if (res.headersSent || res.destroyed) {
    if (response.stream !== undefined) discard(response.stream);
    return;
  }
  const headers = {
    ...context.responseHeaders,
    ...response.headers,
    ...(response.cookies && { "set-cookie": [...response.cookies] }),
    "x-request-id": context.requestId,
  };
  if (response.stream !== undefined) {
    res.writeHead(response.status, headers);
    return await writeStream(res, response.stream, response.headers?.["content-length"]);
  }
  // Node writes headers and a text body in one packet, but bytes in another, which costs more.
  const [text, encoding] =
    response.bytes === undefined
      ? [JSON.stringify(response.body), "utf8" as const]
      : [response.bytes.toString("latin1"), "latin1" as const];
  res.writeHead(response.status, {
    ...(response.bytes === undefined && { "content-type": "application/json; charset=utf-8" }),
    ...headers,
    // A 304 has no body, and its length would be the length of the body that the client has.
    ...(response.status !== 304 && { "content-length": Buffer.byteLength(text, encoding) }),
  });
  if (res.req.method === "HEAD") res.end();
  else res.end(text, encoding);
}

/** The log line of a request. It omits the query, which may contain personal data. */
function summary(context: RequestContext, routeLabel: string, response: ApiResponse, durationMs: number) {
  return {
    method: context.req.method,
    path: context.req.url?.split("?", 1)[0],
    route: routeLabel,
    status: response.status,
    durationMs: Math.round(durationMs * 10) / 10,
    tenantId: context.principal?.tenantId,
    actorId: context.principal?.actor.id,
    traceparent: context.traceparent,
  };
}
