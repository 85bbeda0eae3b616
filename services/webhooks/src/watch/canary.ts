// The receiving end of the canary. The content service periodically commits an event of a reserved tenant. It follows the path of
// every event: outbox, relay, exchange, fan-out, dispatch, and a signed POST over TLS whose response is recorded. A metric shows
// the age of the last delivered canary, and /readyz/deep fails when it is too old.
//
// Cast. `canary-store` has the canary's subscription, and reads the last delivered canary from the log. `canary-receiver` receives
// canaries on loopback in this process.
//
// Tenants cannot reach loopback through the canary: only deliveries of the reserved tenant use the agent of `canary-receiver`, which
// connects only to its listener. So the canary does not test DNS, the address guard or the connection to the internet.
import type { Readiness } from "@tradepost/http";
import { retryWhileUnavailable } from "@tradepost/postgres";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Agent } from "undici";
import type { Sealing } from "../endpoint/endpoint.ts";
import type { Tables } from "../tables.ts";
import {
  deleteCanarySubscription,
  ensureCanarySubscription,
  type LastCanary,
  readCanarySecret,
  readLastCanary,
} from "./canary-store.ts";

export interface Canary {
  readonly agent?: Agent;
  readonly readiness: Readiness;
  stop(): Promise<void>;
}

/** 0 turns the canary off and deletes its subscription. */
export async function startCanary(options: {
  db: Kysely<Tables>;
  everyMs: number;
  sealing: Sealing;
  metrics: Metrics;
  logger: Logger;
}): Promise<Canary> {
  const { db, everyMs, sealing, metrics, logger } = options;
  if (everyMs === 0) {
    await retryWhileUnavailable(logger, () => deleteCanarySubscription(db));
    return { readiness: {}, stop: async () => {} };
  }
  await retryWhileUnavailable(logger, () => ensureCanarySubscription(db, sealing));
  // Loaded only if the canary is on.
  const { startCanaryReceiver } = await import("./canary-receiver.ts");
  const receiver = await startCanaryReceiver({ readSecret: () => readCanarySecret(db, sealing), logger });
  exposeMetrics(db, metrics, logger);
  const startedAt = performance.now();
  return {
    agent: receiver.agent,
    readiness: {
      canary: async () => {
        const last = await readLastCanary(db);
        const watchedSeconds = (performance.now() - startedAt) / 1_000;
        if (isLate(last, watchedSeconds, everyMs)) throw new Error("the last delivered canary is too old");
      },
    },
    stop: () => receiver.stop(),
  };
}

function exposeMetrics(db: Kysely<Tables>, metrics: Metrics, logger: Logger): void {
  const read = async (): Promise<LastCanary> => {
    try {
      return await readLastCanary(db);
    } catch (error) {
      logger.warn({ err: error }, "could not read the last delivered canary");
      throw error;
    }
  };
  const expose = (name: string, help: string, value: keyof LastCanary) =>
    metrics.gauge(name, help, [], async (gauge) => gauge.set((await read())[value]));
  expose(
    "canary_age_seconds",
    "Seconds since the commit of the last delivered canary, or since the canary was switched on.",
    "ageSeconds",
  );
  expose(
    "canary_latency_seconds",
    "Seconds from the commit of the last delivered canary until its delivery was recorded; NaN before the first.",
    "latencySeconds",
  );
}

// One slow or repeated canary is not late.
const PERIODS_MAX = 3;

/** Never in a process's first three periods, for example after a night without the platform. */
export function isLate(last: { readonly ageSeconds: number }, watchedSeconds: number, everyMs: number) {
  return Math.min(last.ageSeconds, watchedSeconds) * 1_000 > PERIODS_MAX * everyMs;
}
