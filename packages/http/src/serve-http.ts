// Serves one route table over Express's router: the way in of every service.
//
// Cast: `startListening` opens the port, `serveHttp` takes it over with the table. `respond` takes one request to its response, whatever happens,
// with envelope, X-Request-Id, log line and metric. `handleRoute` runs the checks of one row in the order that
// contract §1 fixes, and its handler. `unrouted` answers what no row takes.
import type http from "node:http";
import net from "node:net";
import type { Logger, Metrics } from "@tradepost/runtime";
import express, { type NextFunction, type Request, type Response } from "express";
import { ApiError } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import { handleRoute } from "./handle-route.ts";
import { mountProbes, type Readiness } from "./probes.ts";
import type { Identify, RequestContext } from "./request-context.ts";
import { createResponder } from "./respond.ts";
import type { Route } from "./route.ts";
import type { Listener } from "./start-listening.ts";
import { unrouted } from "./unrouted.ts";

export interface HttpServer {
  readonly url: string;
  /** Answers "not ready", refuses new connections, lets what is in flight finish, then resolves. */
  stop(): Promise<void>;
}

export interface HttpOptions {
  /** Already open; its requests get the route table from now on. */
  readonly listener: Listener;
  /** How long connections without a request stay open while stopping, so that none is closed under one that is coming. */
  readonly idleGraceMs: number;
  readonly routes: readonly Route[];
  readonly identify: Identify;
  readonly readiness: Readiness;
  /** The additional checks of /readyz/deep; none unless given. */
  readonly deepReadiness?: Readiness;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where /metrics is served; the gateway keeps it off the public port. */
  readonly metricsOn: "this port" | "another port";
  /** True for an error of the service's dependencies that means "try again later": answered 503. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** Handles requests for paths outside the route table (the gateway forwards them). Null, or no fallback, means 404 or 405. */
  readonly fallback?: (context: RequestContext) => Promise<ApiResponse | null>;
}

const DRAIN_DEADLINE_MS = 8_000;

/** Carries out contract §1 and §9 for one service. */
export function serveHttp(options: HttpOptions): HttpServer {
  let isStopping = false;
  // Without Express's app around it, which gives each request another prototype, for methods that nothing here uses: a
  // sixth of the time of an empty route.
  const router = express.Router({ caseSensitive: true });
  mountProbes(router, {
    readiness: options.readiness,
    deepReadiness: options.deepReadiness ?? {},
    isStopping: () => isStopping,
    ...(options.metricsOn === "this port" && { metrics: options.metrics }),
  });
  const respond = createResponder({ ...options, isStopping: () => isStopping });
  for (const row of options.routes) {
    const method = row.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete";
    router[method](row.path, (req, res) =>
      respond(req, res, row.path, (context) => handleRoute(row, context, req.params, options.identify)),
    );
  }
  router.use((req, res) =>
    respond(
      req,
      res,
      "unrouted",
      async (context) => (await options.fallback?.(context)) ?? unrouted(context, options),
    ),
  );
  router.use((_error: unknown, req: Request, res: Response, _next: NextFunction) =>
    // Only Express itself fails here, on a path that it cannot decode; 401 comes before that too.
    respond(req, res, "unrouted", async (context) => {
      if (req.url.startsWith("/v1/")) context.principal = await options.identify(context);
      throw new ApiError("not_found", "No such path.");
    }),
  );

  const { server, url, handOver } = options.listener;
  handOver((req, res) => router(req as Request, res as Response, unanswered));
  return {
    url,
    stop: async () => {
      isStopping = true;
      await drain(server, options.idleGraceMs);
    },
  };
}

/** Never called: the last of the router's handlers takes everything. */
function unanswered(error: unknown): void {
  throw error;
}

/** A client that sends on an idle connection meanwhile gets its answer, and that the connection closes. */
async function drain(server: http.Server, idleGraceMs: number): Promise<void> {
  // Not the HTTP server's own `close`, which would end idle connections at once.
  const closed = new Promise<void>((resolve) => net.Server.prototype.close.call(server, () => resolve()));
  const grace = setTimeout(() => server.closeIdleConnections(), idleGraceMs);
  const deadline = setTimeout(() => server.closeAllConnections(), idleGraceMs + DRAIN_DEADLINE_MS);
  await closed;
  clearTimeout(grace);
  clearTimeout(deadline);
}
