// What operators and orchestrators ask of every service: alive, ready, metrics (contract §9).

import type { Metrics } from "@tradepost/runtime";
import type { Express } from "express";
import { requestIdOf } from "./request-id.ts";

/** Each dependency by name, and a check that rejects while it does not answer. */
export type Readiness = Readonly<Record<string, () => Promise<void>>>;

const CHECK_TIMEOUT_MS = 2_000;

/** Mounts /healthz, /readyz and, where metrics are given, /metrics. `isStopping` makes /readyz say so first. */
export function mountProbes(
  app: Express,
  options: { readiness: Readiness; isStopping: () => boolean; metrics?: Metrics },
): void {
  app.use(["/healthz", "/readyz", "/metrics"], (req, res, next) => {
    res.set("x-request-id", requestIdOf(req));
    next();
  });
  app.get("/healthz", (_req, res) => {
    res.json({ status: "ok" });
  });
  app.get("/readyz", async (_req, res) => {
    const missing = options.isStopping() ? ["stopping"] : await unready(options.readiness);
    res
      .status(missing.length === 0 ? 200 : 503)
      .json({ status: missing.length === 0 ? "ready" : "not_ready", missing });
  });
  const { metrics } = options;
  if (metrics) {
    app.get("/metrics", async (_req, res) => {
      res.type("text/plain; version=0.0.4; charset=utf-8").send(await metrics.text());
    });
  }
}

async function unready(readiness: Readiness): Promise<string[]> {
  const checks = Object.entries(readiness).map(async ([name, check]) =>
    (await answers(check)) ? [] : [name],
  );
  return (await Promise.all(checks)).flat();
}

async function answers(check: () => Promise<void>): Promise<boolean> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("timed out")), CHECK_TIMEOUT_MS);
  try {
    await Promise.race([check(), timeout]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
