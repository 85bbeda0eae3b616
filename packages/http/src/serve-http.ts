// Serves a service's route table.
//
// Cast. `startListening` opens the port, and `serveHttp` takes it over. `respond` responds to each request exactly once, with
// envelope, X-Request-Id, log line and metrics. `handleRoute` runs a route's checks in the order of interface §1, then its
// handler. `servePage` serves files for browsers.
import type { RequestListener } from "node:http";
import { sleep } from "@tradepost/runtime";
import { ApiError } from "./api-error.ts";
import type { ApiResponse } from "./api-response.ts";
import { preflightResponse } from "./cross-origin.ts";
import { handleRoute } from "./handle-route.ts";
import { paramsIn, pathIndex } from "./path-index.ts";
import { type Probe, probes, type Readiness, watchDependencies } from "./probes.ts";
import { refusedChanges } from "./refused-changes.ts";
import type { Identify, RequestContext } from "./request-context.ts";
import { createResponder, type Respond, type ResponderOptions } from "./respond.ts";
import { responseSlots } from "./response-slots.ts";
import type { Route } from "./route.ts";
import { type Page, servePage } from "./serve-page.ts";
import type { Listener } from "./start-listening.ts";

export interface HttpOptions extends Omit<ResponderOptions, "changes" | "isStopping"> {
  readonly listener: Listener;
  /** In ms. */
  readonly idleGraceMs: number;
  /** In ms; 12 s by default. Then connections are closed. */
  readonly requestsEndMs?: number;
  readonly routes: readonly Route[];
  readonly pages?: readonly Page[];
  readonly identify: Identify;
  readonly readiness: Readiness;
  /** /readyz lists failures as `degraded`, with 200. */
  readonly degradedWithout?: Readiness;
  readonly deepReadiness?: Readiness;
  /** The gateway does not serve /metrics on its public port. */
  readonly metricsOn: "this port" | "another port";
  /** Resolves once what handlers have read would survive a failover of the database (interface §21). */
  readonly replicated: () => Promise<void>;
  /** Called when the port is closed, to end the waits of requests. */
  readonly onStop?: () => void;
  /** Handles requests outside the route table. Without it, or if it returns null, the response is 404 or 405. */
  readonly fallback?: (context: RequestContext) => Promise<ApiResponse | null>;
}

const REQUESTS_END_MS = 12_000;

/** Serves the route table, the probes and the pages (interface §1 and §9). */
export function serveHttp(options: HttpOptions) {
  let isStopping = false;
  const changes = refusedChanges(options.metrics, options.logger);
  const { database, ...others } = options.readiness;
  const readiness = database ? { database: () => changes.check(database), ...others } : others;
  const served = probes({
    readiness,
    degradedWithout: options.degradedWithout ?? {},
    deepReadiness: options.deepReadiness ?? {},
    isStopping: () => isStopping,
    ...(options.metricsOn === "this port" && { metrics: options.metrics }),
  });
  watchDependencies(options.metrics, { ...readiness, ...options.degradedWithout });
  const respond = createResponder({ ...options, changes, isStopping: () => isStopping });
  const receive = receiver(respond, served, options);
  const { server, url, handOver } = options.listener;
  handOver((req, res) => {
    const preflight = preflightResponse(req, options.isOpenToOrigins);
    if (preflight === null) receive(req, res);
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
    /** Makes /readyz say `stopping`; after the idle grace, in which load balancers notice, new connections are refused. */
    closePort,
    /** Closes the port, and waits at most `requestsEndMs` for the requests in progress. */
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

function receiver(
  respond: Respond,
  served: ReadonlyMap<string, Probe>,
  options: HttpOptions,
): RequestListener {
  const server = { ...options, slots: responseSlots() };
  const routesAt = pathIndex(options.routes);
  const pagesAt = pathIndex(options.pages ?? []);
  return (req, res) => {
    const path = req.url?.split(/[?#]/, 1)[0] ?? "";
    const method = req.method === "HEAD" ? "GET" : req.method;
    const probe = method === "GET" && served.get(path.replace(/\/$/, ""));
    if (probe) return void probe(req, res).catch(() => res.destroy());
    const rows = routesAt(path);
    const [page] = pagesAt(path);
    const found = rows[0] ?? page;
    const params = found === undefined ? {} : paramsIn(found.path, path);
    if (params === null)
      return void respond(req, res, "unrouted", (context) => unrouted(context, [], options));
    const row = rows.find((one) => one.method === method);
    if (row !== undefined)
      return void respond(req, res, row, (context) => {
        const { onError } = row;
        const response = handleRoute(row, context, params, server);
        if (onError === undefined) return response;
        return response.catch((error: unknown) => {
          if (error instanceof ApiError) return onError(error);
          throw error;
        });
      });
    if (page !== undefined) return void respond(req, res, page.path, () => servePage(page, req, params));
    const refuse = async (context: RequestContext) =>
      (await options.fallback?.(context)) ?? unrouted(context, rows, options);
    void respond(req, res, "unrouted", refuse);
  };
}

/** Throws 405 with `Allow` if the path has other methods, else 404; under /v1, 401 without authentication. */
async function unrouted(
  context: RequestContext,
  found: readonly Route[],
  { identify, routes }: HttpOptions,
): Promise<never> {
  const path = (context.req.url ?? "").split("?", 1)[0] ?? "";
  if (/^\/v1(\/|$)/.test(path)) context.principal = await identify(context);
  if (found.length === 0) throw new ApiError("not_found", "No such path.");
  // A path may match several rows: `/redirects/resolve` also matches `/redirects/:id`. The formatter takes 15 ms, and few requests
  // need it.
  const orList = new Intl.ListFormat("en", { type: "disjunction" });
  const rows = routes.filter((row) => found.includes(row));
  const allowed = [...new Set(rows.map((row) => row.method))];
  throw new ApiError("method_not_allowed", `Use ${orList.format(allowed)} for this path.`, {
    headers: { allow: allowed.join(", ") },
  });
}
