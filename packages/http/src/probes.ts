// The endpoints that every service has for operators and orchestrators (interface §9).
import type { IncomingMessage, ServerResponse } from "node:http";
import { freshFor, type Metrics, sharedRead, withDeadline } from "@tradepost/runtime";
import { requestIdOf } from "./request-context.ts";

/**
 * Checks by dependency; each rejects while the dependency is unavailable. An error's `missing` replaces the dependency's name; its
 * `degraded` is listed after the name.
 */
export type Readiness = Readonly<Record<string, () => Promise<void>>>;

const CHECK_TIMEOUT_MS = 2_000;
// A scrape leaves out gauges that take 2 s.
const SCRAPED_CHECK_TIMEOUT_MS = 1_500;
const JSON_TYPE = "application/json; charset=utf-8";
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
// The deep checks send requests to other services, and anybody may request /readyz/deep.
const DEEP_RESULT_SHARED_MS = 1_000;

interface Missing {
  readonly missing: readonly string[];
  readonly degraded: readonly string[];
}

const STOPPING: Missing = { missing: ["stopping"], degraded: [] };

export type Probe = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/**
 * Returns /healthz, /readyz, /readyz/deep and, with `metrics`, /metrics (interface §9), by path. While the service is stopping, both
 * /readyz paths respond with 503 `stopping`.
 *
 * `readiness` is what this process needs, `degradedWithout` what it can do without for some time: /readyz names it, with 200.
 * `deepReadiness` is what else the platform needs to keep its promises, for people and alerts: taking this process out of service does
 * not repair another one.
 */
export function probes(options: {
  readiness: Readiness;
  degradedWithout: Readiness;
  deepReadiness: Readiness;
  isStopping: () => boolean;
  metrics?: Metrics;
}): ReadonlyMap<string, Probe> {
  const { isStopping } = options;
  const send = (req: IncomingMessage, res: ServerResponse, status: number, type: string, text: string) => {
    res.writeHead(status, {
      "x-request-id": requestIdOf(req),
      "content-type": type,
      "content-length": Buffer.byteLength(text),
      // An idle connection would delay the stop until its deadline.
      ...(isStopping() && { connection: "close" }),
    });
    res.end(text);
  };
  const respond = async (req: IncomingMessage, res: ServerResponse, check: () => Promise<Missing>) => {
    const { missing, degraded } = isStopping() ? STOPPING : await check();
    const [code, status] = missing.length === 0 ? [200, "ready"] : [503, "not_ready"];
    const body = { status, missing, ...(degraded.length > 0 && { degraded }) };
    send(req, res, code, JSON_TYPE, JSON.stringify(body));
  };
  // A thousand requests on one connection cost little more than one.
  const check = sharedRead(async () => {
    const [needed, other] = await Promise.all([
      findMissing(options.readiness),
      findMissing(options.degradedWithout),
    ]);
    return { missing: [...needed.missing, ...needed.degraded, ...other.missing], degraded: other.degraded };
  });
  const checkDeep = freshFor(DEEP_RESULT_SHARED_MS, async () => {
    const { readiness, degradedWithout, deepReadiness } = options;
    const { missing, degraded } = await findMissing({ ...readiness, ...degradedWithout, ...deepReadiness });
    return { missing: [...missing, ...degraded], degraded: [] };
  });
  const all = new Map<string, Probe>([
    ["/healthz", async (req, res) => send(req, res, 200, JSON_TYPE, JSON.stringify({ status: "ok" }))],
    ["/readyz", (req, res) => respond(req, res, check)],
    ["/readyz/deep", (req, res) => respond(req, res, checkDeep)],
  ]);
  const { metrics } = options;
  if (metrics) {
    const scrape = sharedRead(() => metrics.text());
    all.set("/metrics", async (req, res) => send(req, res, 200, METRICS_TYPE, await scrape()));
  }
  return all;
}

/** Adds the metric `dependency_up` (interface §14). A dependency that does not respond in time is 0. */
export function watchDependencies(metrics: Metrics, checks: Readiness): void {
  metrics.gauge(
    "dependency_up",
    "1 if the dependency can be used, 0 if not. A database that is read-only cannot.",
    ["dependency"],
    async (gauge) => {
      const measured = Object.entries(checks).map(async ([dependency, check]) =>
        gauge.set({ dependency }, (await faultOf(check, SCRAPED_CHECK_TIMEOUT_MS)) === null ? 1 : 0),
      );
      await Promise.all(measured);
    },
  );
}

/** Names of checks whose error has no `missing` are in `degraded`. */
async function findMissing(readiness: Readiness): Promise<Missing> {
  const checks = Object.entries(readiness).map(async ([name, check]) => ({
    name,
    fault: await faultOf(check, CHECK_TIMEOUT_MS),
  }));
  const faults = (await Promise.all(checks)).flatMap(({ name, fault }) =>
    fault ? [{ ...fault, name }] : [],
  );
  const missing = faults.flatMap((fault) => fault.missing ?? []);
  const degraded = faults.flatMap((fault) =>
    fault.missing === undefined ? [fault.name, fault.degraded ?? []].flat() : [],
  );
  return { missing: [...new Set(missing)], degraded: [...new Set(degraded)] };
}

async function faultOf(
  check: () => Promise<void>,
  timeoutMs: number,
): Promise<{ readonly missing?: string; readonly degraded?: string } | null> {
  try {
    await withDeadline(check(), timeoutMs, "timed out");
    return null;
  } catch (error) {
    return error as { missing?: string; degraded?: string };
  }
}
