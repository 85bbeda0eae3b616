// Serves a service's route table with Express.
//
// Cast. `startListening` opens the port, and `serveHttp` takes it over. `respond` responds to each request exactly once, with
// envelope, X-Request-Id, log line and metrics. `handleRoute` runs a route's checks in the order of interface §1, then its
// handler. `servePage` serves files for browsers.
import { type Logger, type Metrics, sleep, type Tracer } from "@tradepost/runtime";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { ApiError } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import { type OpenToOrigins, preflightResponse } from "./cross-origin.ts";
import { handleRoute } from "./handle-route.ts";
import { mountProbes, type Readiness, watchDependencies } from "./probes.ts";
import { refusedChanges } from "./refused-changes.ts";
import type { Identify, RequestContext } from "./request-context.ts";
import { createResponder, type FinishedRequest, type Respond } from "./respond.ts";
import { responseSlots } from "./response-slots.ts";
import type { Route } from "./route.ts";
import { type Page, servePage } from "./serve-page.ts";
import type { Listener } from "./start-listening.ts";

export interface HttpServer {
  readonly url: string;
  /**
   * Reports `stopping` at /readyz, keeps serving for the idle grace, so that load balancers notice, and then refuses new
   * connections.
   */
  closePort(): Promise<void>;
  /** Closes the port, and waits at most `requestsEndMs` for the requests in progress. */
  stop(): Promise<void>;
}

export interface HttpOptions {
  readonly listener: Listener;
  /** In ms. */
  readonly idleGraceMs: number;
  /** In ms; 12 s by default. Then connections are closed. */
  readonly requestsEndMs?: number;
  readonly routes: readonly Route[];
  readonly pages?: readonly Page[];
  /** With a bearer credential; none by default. */
  readonly isOpenToOrigins?: OpenToOrigins;
  readonly identify: Identify;
  /** What the process needs to serve requests. */
  readonly readiness: Readiness;
  /** What it can do without for some time: /readyz lists failures as `degraded`, with 200. */
  readonly degradedWithout?: Readiness;
  /** Further checks of /readyz/deep. */
  readonly deepReadiness?: Readiness;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer?: Tracer;
  /** The gateway does not serve /metrics on its public port. */
  readonly metricsOn: "this port" | "another port";
  /** Compresses JSON above 4 KiB for clients that accept it, as the gateway does for all services. */
  readonly compresses?: boolean;
  /**
   * Sends the gateway the route's pattern in `x-route`, which labels its metrics, and the time of heavy work in `x-work-ms`, which
   * it charges.
   */
  readonly namesRoutes?: boolean;
  /** Resolves once what handlers have read would survive a failover of the database (interface §21). */
  readonly replicated: () => Promise<void>;
  /** Temporary errors of a dependency become 503. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Called after each response, except those of probes. */
  readonly onRequest?: (request: FinishedRequest) => void;
  /** Called with each error that a request gets. */
  readonly onRefused?: (error: ApiError) => void;
  /** Called when the port is closed, to end the waits of requests. */
  readonly onStop?: () => void;
  /** Handles requests outside the route table. Without it, or if it returns null, the response is 404 or 405. */
  readonly fallback?: (context: RequestContext) => Promise<ApiResponse | null>;
}

const REQUESTS_END_MS = 12_000;

/** Serves the route table, the probes and the pages (interface §1 and §9). */
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
  mountRoutes(app, respond, options);
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

function mountRoutes(app: Express, respond: Respond, options: HttpOptions): void {
  const slots = responseSlots();
  for (const row of options.routes) {
    const method = row.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete";
    app[method](row.path, (req, res) =>
      respond(req, res, row, (context) => handleRoute(row, context, paramsOf(req), { ...options, slots })),
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
}

/** No route pattern has repeated or optional segments. */
function paramsOf({ params }: Request): Record<string, string> {
  return params as Record<string, string>;
}

/**
 * Refuses a request without a route: 405 with `Allow` if the path has other methods, else 404. Under /v1, a request without
 * authentication gets 401.
 */
async function unrouted(
  context: RequestContext,
  options: { routes: readonly Route[]; identify: Identify },
): Promise<never> {
  const path = (context.req.url ?? "").split("?", 1)[0] ?? "";
  if (/^\/v1(\/|$)/.test(path)) context.principal = await options.identify(context);
  const rows = options.routes.filter((row) => matches(row.path, path));
  if (rows.length === 0) throw new ApiError("not_found", "No such path.");
  // A path may match several rows: `/redirects/resolve` also matches `/redirects/:id`. The formatter takes 15 ms, and few requests
  // need it.
  const orList = new Intl.ListFormat("en", { type: "disjunction" });
  const allowed = [...new Set(rows.map((row) => row.method))];
  throw new ApiError("method_not_allowed", `Use ${orList.format(allowed)} for this path.`, {
    headers: { allow: allowed.join(", ") },
  });
}

function matches(pattern: string, path: string): boolean {
  const patternParts = pattern.split("/");
  const pathParts = path.replace(/\/$/, "").split("/");
  return (
    patternParts.length === pathParts.length &&
    patternParts.every((part, index) =>
      part.startsWith(":") ? pathParts[index] !== "" : part === pathParts[index],
    )
  );
}
