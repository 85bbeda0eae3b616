// Serves a service's route table with Express.
//
// Cast. `startListening` opens the port, and `serveHttp` takes it over. `respond` responds to each request exactly once, with
// envelope, X-Request-Id, log line and metrics. `handleRoute` runs a route's checks in the order of interface §1, then its
// handler. `servePage` serves files for browsers. `preflightResponse` tells browsers which requests pages of other origins may
// send. `unrouted` responds to requests without a route.
import { type Logger, type Metrics, sleep, type Tracer } from "@tradepost/runtime";
import express, { type NextFunction, type Request, type Response } from "express";
import { ApiError } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import { type OpenToOrigins, preflightResponse } from "./cross-origin.ts";
import { handleRoute } from "./handle-route.ts";
import { type Quota, quotas } from "./principal.ts";
import { mountProbes, type Readiness, watchDependencies } from "./probes.ts";
import { refusedChanges } from "./refused-changes.ts";
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
   * Reports `stopping` at /readyz and keeps serving for the idle grace, so that load balancers notice. Then refuses new
   * connections and resolves. Requests may still be in progress. It may be called more than once.
   */
  closePort(): Promise<void>;
  /** Closes the port and resolves when the requests in progress have ended, at most `requestsEndMs` after the grace. */
  stop(): Promise<void>;
}

/** The parts of a server. */
export interface HttpOptions {
  /** The open port, which the server takes over. */
  readonly listener: Listener;
  /** How long the server keeps serving while it stops, in ms, until load balancers have noticed. */
  readonly idleGraceMs: number;
  /** How long requests in progress may take after the grace, in ms; 12 s by default. Then their connections are closed. */
  readonly requestsEndMs?: number;
  readonly routes: readonly Route[];
  /** Files for browsers; none by default. */
  readonly pages?: readonly Page[];
  /** The paths that pages of any origin may use, with a bearer credential; none by default. */
  readonly isOpenToOrigins?: OpenToOrigins;
  readonly identify: Identify;
  /** Checks of what the process needs to serve requests. */
  readonly readiness: Readiness;
  /** Checks of what the process can do without for some time: /readyz lists failures as `degraded`, with 200. None by default. */
  readonly degradedWithout?: Readiness;
  /** Additional checks of /readyz/deep; none by default. */
  readonly deepReadiness?: Readiness;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Records a span for each request; none by default. */
  readonly tracer?: Tracer;
  /** Where /metrics is served: the gateway does not serve it on its public port. */
  readonly metricsOn: "this port" | "another port";
  /**
   * True to compress JSON above 4 KiB for clients that accept it; false by default. The gateway does it for all services, because
   * responses leave the private network there.
   */
  readonly compresses?: boolean;
  /**
   * True to name the route's pattern in the response header `x-route`, and the time of heavy work in `x-work-ms`; false by default.
   * The gateway labels the request in its metrics with the one and charges the other, and passes neither on.
   */
  readonly namesRoutes?: boolean;
  /**
   * Resolves once the data that handlers have read would survive a failover of the database. Responses to changes that may depend
   * on a read wait for it (interface §21).
   */
  readonly replicated: () => Promise<void>;
  /** Reports whether an error of a dependency is temporary: the response is then 503. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Called with each request after its response, except for probes. */
  readonly onRequest?: (request: FinishedRequest) => void;
  /** Called when the port is closed, to end the waits of requests. */
  readonly onStop?: () => void;
  /**
   * Handles requests outside the route table; the gateway forwards them. Without a fallback, or if it returns null, the response
   * is 404 or 405.
   */
  readonly fallback?: (context: RequestContext) => Promise<ApiResponse | null>;
}

const REQUESTS_END_MS = 12_000;

/** Serves the route table, the probes and the pages of one service (interface §1 and §9). */
export function serveHttp(options: HttpOptions): HttpServer {
  let isStopping = false;
  const isOpenToOrigins = options.isOpenToOrigins ?? (() => false);
  // Express costs 0.007 ms of CPU per request more than its router alone. The benches of orders do not show the difference.
  const app = express().enable("case sensitive routing").disable("x-powered-by");
  const changes = refusedChanges(options.metrics, options.logger);
  const { database, ...others } = options.readiness;
  const readiness = database ? { database: () => changes.check(database), ...others } : others;
  mountProbes(app, {
    readiness,
    degradedWithout: options.degradedWithout ?? {},
    deepReadiness: options.deepReadiness ?? {},
    isStopping: () => isStopping,
    ...(options.metricsOn === "this port" && { metrics: options.metrics }),
  });
  watchDependencies(options.metrics, { ...readiness, ...options.degradedWithout });
  const respond = createResponder({
    ...options,
    changes,
    isStopping: () => isStopping,
    compresses: options.compresses ?? false,
    namesRoutes: options.namesRoutes ?? false,
    isOpenToOrigins,
  });
  const slots = responseSlots();
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
        handleRoute(row, context, paramsOf(req), { ...options, slots, onQuotaExceeded }),
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
    // Express fails on a path that it cannot decode. Authenticate first, because 401 comes before 404 here too.
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

/** Returns the path parameters by name. No route pattern has repeated or optional segments. */
function paramsOf({ params }: Request): Record<string, string> {
  return params as Record<string, string>;
}
