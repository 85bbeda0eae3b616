// Serves a service's route table with Express.
//
// Cast. `startListening` opens the port and `serveHttp` takes it over. `respond` turns each request into exactly one response,
// with envelope, X-Request-Id, log line and metric. `handleRoute` runs the checks of a route in the order of interface §1 and
// then its handler. `servePage` serves files for browsers, and `preflightResponse` tells browsers which requests
// pages of other origins may send. `unrouted` responds to requests without a route.
import { type Logger, type Metrics, sleep, type Tracer } from "@tradepost/runtime";
import express, { type NextFunction, type Request, type Response } from "express";
import { ApiError } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import { type OpenToOrigins, preflightResponse } from "./cross-origin.ts";
import { handleRoute } from "./handle-route.ts";
import { type Quota, quotas } from "./principal.ts";
import { mountProbes, type Readiness, watchDependencies } from "./probes.ts";
import type { Identify, RequestContext } from "./request-context.ts";
import { createResponder, type FinishedRequest } from "./respond.ts";
import { responseSlots } from "./response-slots.ts";
import type { Route } from "./route.ts";
import { type Page, servePage } from "./serve-page.ts";
import type { Listener } from "./start-listening.ts";
import { unrouted } from "./unrouted.ts";

/** A running server. */
export interface HttpServer {
  readonly url: string;
  /**
   * Reports `stopping` at /readyz and goes on serving for the idle grace, so that load balancers notice; then refuses new
   * connections and resolves. Requests may still be in progress. May be called twice.
   */
  closePort(): Promise<void>;
  /** Closes the port and resolves when the requests in progress have ended, at most `requestsEndMs` after the grace. */
  stop(): Promise<void>;
}

/** The parts of a server. */
export interface HttpOptions {
  /** The open port, which the server takes over. */
  readonly listener: Listener;
  /** How long the server goes on serving while stopping, until load balancers have noticed. */
  readonly idleGraceMs: number;
  /** How long requests in progress may take after the grace, by default 12 s. Then their connections are closed. */
  readonly requestsEndMs?: number;
  readonly routes: readonly Route[];
  /** Files for browsers; none by default. */
  readonly pages?: readonly Page[];
  /** The paths that pages of any origin may use, with a bearer credential; none by default. */
  readonly isOpenToOrigins?: OpenToOrigins;
  readonly identify: Identify;
  /** What the process needs to serve requests. */
  readonly readiness: Readiness;
  /** What it can serve requests without: /readyz lists what is missing as `degraded`, with 200. None by default. */
  readonly degradedWithout?: Readiness;
  /** The additional checks of /readyz/deep; none by default. */
  readonly deepReadiness?: Readiness;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Gets a span for each request; none by default. */
  readonly tracer?: Tracer;
  /** Where /metrics is served: the gateway does not serve it on its public port. */
  readonly metricsOn: "this port" | "another port";
  /**
   * Whether JSON above 4 KiB is compressed for clients that accept it. The gateway does it for all services: that is where
   * responses leave the private network. False by default.
   */
  readonly compresses?: boolean;
  /**
   * Whether each response names its route's pattern in `x-route`. Services do it for the gateway, which counts the request under
   * that pattern and does not pass the header on. False by default.
   */
  readonly namesRoutes?: boolean;
  /**
   * Resolves once what the handlers have read survives a failover of the database. A response to a change that may follow from a
   * read is sent after it (interface §21).
   */
  readonly replicated: () => Promise<void>;
  /** True for errors of dependencies that may succeed later: the response is 503. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Gets each request after its response, but for probes. */
  readonly onRequest?: (request: FinishedRequest) => void;
  /** Called when the port is closed, to end what keeps requests waiting. */
  readonly onStop?: () => void;
  /** Handles requests for paths outside the route table (the gateway forwards them). Null, or no fallback, means 404 or 405. */
  readonly fallback?: (context: RequestContext) => Promise<ApiResponse | null>;
}

const REQUESTS_END_MS = 12_000;

/** Serves the route table and the probes of one service (interface §1 and §9). */
export function serveHttp(options: HttpOptions): HttpServer {
  let isStopping = false;
  const isOpenToOrigins = options.isOpenToOrigins ?? (() => false);
  // The app costs 0.007 CPU-ms a request more than its router alone, which the benches of orders do not show.
  const app = express().enable("case sensitive routing").disable("x-powered-by");
  mountProbes(app, {
    readiness: options.readiness,
    degradedWithout: options.degradedWithout ?? {},
    deepReadiness: options.deepReadiness ?? {},
    isStopping: () => isStopping,
    ...(options.metricsOn === "this port" && { metrics: options.metrics }),
  });
  watchDependencies(options.metrics, { ...options.readiness, ...options.degradedWithout });
  const respond = createResponder({
    ...options,
    isStopping: () => isStopping,
    compresses: options.compresses ?? false,
    namesRoutes: options.namesRoutes ?? false,
    isOpenToOrigins,
  });
  const acquireSlot = responseSlots();
  const refusals = options.metrics.counter(
    "quota_refusals_total",
    "Changes that were refused because a tenant has used up a quota.",
    ["quota"],
  );
  for (const quota of quotas) refusals.inc({ quota }, 0);
  const onQuotaExceeded = (quota: Quota) => refusals.inc({ quota });
  for (const row of options.routes) {
    const method = row.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete";
    app[method](row.path, (req, res) =>
      respond(req, res, row, (context) =>
        handleRoute(row, context, paramsOf(req), { ...options, acquireSlot, onQuotaExceeded }),
      ),
    );
  }
  for (const page of options.pages ?? []) {
    app.all(page.path, (req, res) => respond(req, res, page.path, () => servePage(page, req, paramsOf(req))));
  }
  app.use((req, res) =>
    respond(
      req,
      res,
      "unrouted",
      async (context) => (await options.fallback?.(context)) ?? unrouted(context, options),
    ),
  );
  app.use((_error: unknown, req: Request, res: Response, _next: NextFunction) =>
    // Express fails on a path that it cannot decode. Here too 401 comes before 404.
    respond(req, res, "unrouted", async (context) => {
      if (req.url?.startsWith("/v1/")) context.principal = await options.identify(context);
      throw new ApiError("not_found", "No such path.");
    }),
  );

  const { server, url, handOver } = options.listener;
  handOver((req, res) => {
    const preflight = preflightResponse(req, isOpenToOrigins);
    if (preflight === null) app(req, res);
    else void respond(req, res, "preflight", async () => preflight);
  });
  let closing: Promise<void> | undefined;
  let isClosed: Promise<void> | undefined;
  const closePort = () => {
    isStopping = true;
    closing ??= sleep(options.idleGraceMs).then(() => {
      isClosed = new Promise((resolve) => server.close(() => resolve()));
      options.onStop?.();
    });
    return closing;
  };
  return {
    url,
    closePort,
    stop: async () => {
      await closePort();
      const deadline = setTimeout(
        () => server.closeAllConnections(),
        options.requestsEndMs ?? REQUESTS_END_MS,
      );
      await isClosed;
      clearTimeout(deadline);
    },
  };
}

/** The segments of the path that the route's pattern names. No pattern repeats or leaves out a segment. */
function paramsOf({ params }: Request): Record<string, string> {
  return params as Record<string, string>;
}
