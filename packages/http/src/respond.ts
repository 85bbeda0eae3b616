// Takes one request to its one response: gives it an id and a trace, runs the work, maps what it throws to the
// envelope in this one place, and leaves a log line and a metric.
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
import { drop, writeStream } from "./write-stream.ts";

type Respond = (
  req: IncomingMessage,
  res: ServerResponse,
  routeLabel: string,
  work: (context: RequestContext) => Promise<ApiResponse>,
) => Promise<void>;

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const RETRY_AFTER_SECONDS = "2";

/** Out: the function that answers every request of a server. It never rejects. */
export function createResponder(options: {
  logger: Logger;
  metrics: Metrics;
  isUnavailable: (error: unknown) => boolean;
  /** True once connections are to be closed as soon as they have their answer. */
  isStopping: () => boolean;
}): Respond {
  const { logger, isUnavailable, isStopping } = options;
  const requests = withoutRedaction(logger);
  const durations = options.metrics.histogram(
    "http_request_duration_seconds",
    "From the request's headers to the end of the answer.",
    ["method", "route", "status"],
    BUCKETS_SECONDS,
  );
  return (req, res, routeLabel, work) => {
    const startedAt = performance.now();
    const acts: (() => void)[] = [];
    const context: RequestContext = {
      req,
      requestId: requestIdOf(req),
      traceparent: childTraceparent(String(req.headers.traceparent)),
      responseHeaders: {},
      atEnd: (act) => void acts.push(act),
    };
    return withRequestId(context.requestId, async () => {
      const answer = await work(context).catch((error: unknown) =>
        failure(error, context, isUnavailable, logger),
      );
      // A connection kept alive past its last answer would hold up the stop until its deadline.
      if (isStopping()) context.responseHeaders.connection = "close";
      dropRest(req);
      await write(res, answer, context).catch((error: unknown) =>
        logger.warn({ err: error }, "the answer was cut off"),
      );
      for (const act of acts) act();
      const durationMs = performance.now() - startedAt;
      durations.observe(
        { method: req.method ?? "", route: routeLabel, status: String(answer.status) },
        durationMs / 1000,
      );
      requests.info(summary(context, routeLabel, answer, durationMs), "request");
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
    return new ApiError("service_unavailable", "The service cannot answer just now; try again.", {
      headers: { "retry-after": RETRY_AFTER_SECONDS },
    });
  }
  return new ApiError("internal_error", "Something went wrong on our side.");
}

async function write(res: ServerResponse, answer: ApiResponse, context: RequestContext): Promise<void> {
  if (res.headersSent || res.destroyed) {
    if (answer.stream !== undefined) drop(answer.stream);
    return;
  }
  const headers = {
    ...context.responseHeaders,
    ...answer.headers,
    ...(answer.cookies && { "set-cookie": [...answer.cookies] }),
    "x-request-id": context.requestId,
  };
  if (answer.stream !== undefined) {
    res.writeHead(answer.status, headers);
    return await writeStream(res, answer.stream, answer.headers?.["content-length"]);
  }
  // As text, headers and body go out in one piece; bytes would be written beside them, which costs more.
  const [text, encoding] =
    answer.bytes === undefined
      ? [JSON.stringify(answer.body), "utf8" as const]
      : [answer.bytes.toString("latin1"), "latin1" as const];
  res.writeHead(answer.status, {
    ...(answer.bytes === undefined && { "content-type": "application/json; charset=utf-8" }),
    ...headers,
    // A 304 has no body; a length would be that of the body it stands for.
    ...(answer.status !== 304 && { "content-length": Buffer.byteLength(text, encoding) }),
  });
  if (res.req.method === "HEAD") res.end();
  else res.end(text, encoding);
}

/** One wide line a request. The query stays out: it may hold what a caller would not want in a log. */
function summary(context: RequestContext, routeLabel: string, answer: ApiResponse, durationMs: number) {
  return {
    method: context.req.method,
    path: context.req.url?.split("?", 1)[0],
    route: routeLabel,
    status: answer.status,
    durationMs: Math.round(durationMs * 10) / 10,
    tenantId: context.principal?.tenantId,
    actorId: context.principal?.actor.id,
    traceparent: context.traceparent,
  };
}
