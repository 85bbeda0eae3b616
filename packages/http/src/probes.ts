// What operators and orchestrators ask of every service: alive, ready, metrics (contract §9).
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Metrics } from "@tradepost/runtime";
import type { Router } from "express";
import { requestIdOf } from "./request-id.ts";

/** Each dependency by name, and a check that rejects while it does not answer. */
export type Readiness = Readonly<Record<string, () => Promise<void>>>;

const CHECK_TIMEOUT_MS = 2_000;
const JSON_TYPE = "application/json; charset=utf-8";
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
// The whole asks others in its turn, and may be asked by anybody: they are asked no more often than this.
const WHOLE_SHARED_MS = 1_000;

/**
 * Mounts /healthz, /readyz, /readyz/whole and, where metrics are given, /metrics. `isStopping` makes both /readyz say so
 * first. In: of `readiness`, what this process cannot do without; of `whole`, what else must be well for the platform to
 * keep its promise. Only /readyz/whole asks for that, and nothing but people and their alerts should go by it: what is
 * wrong elsewhere is no better for taking this process out of the traffic.
 */
export function mountProbes(
  router: Router,
  options: { readiness: Readiness; whole: Readiness; isStopping: () => boolean; metrics?: Metrics },
): void {
  router.get("/healthz", (req, res) => say(req, res, 200, JSON_TYPE, JSON.stringify({ status: "ok" })));
  const answer = async (req: IncomingMessage, res: ServerResponse, ask: () => Promise<string[]>) => {
    const missing = options.isStopping() ? ["stopping"] : await ask();
    const [code, status] = missing.length === 0 ? [200, "ready"] : [503, "not_ready"];
    say(req, res, code, JSON_TYPE, JSON.stringify({ status, missing }));
  };
  const whole = sharedFor(WHOLE_SHARED_MS, () => unready({ ...options.readiness, ...options.whole }));
  router.get("/readyz", (req, res) => answer(req, res, () => unready(options.readiness)));
  router.get("/readyz/whole", (req, res) => answer(req, res, whole));
  const { metrics } = options;
  if (metrics) {
    router.get("/metrics", async (req, res) => say(req, res, 200, METRICS_TYPE, await metrics.text()));
  }
}

function say(req: IncomingMessage, res: ServerResponse, status: number, type: string, text: string): void {
  res.writeHead(status, {
    "x-request-id": requestIdOf(req),
    "content-type": type,
    "content-length": Buffer.byteLength(text),
  });
  res.end(text);
}

/** Whoever asks within so many ms of the last time has its answer. */
function sharedFor<Result>(ms: number, ask: () => Promise<Result>): () => Promise<Result> {
  let last: { at: number; answer: Promise<Result> } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.at > ms)
      last = { at: performance.now(), answer: ask() };
    return last.answer;
  };
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
