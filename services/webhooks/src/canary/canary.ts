// The canary's far end. The content service commits an event of no tenant every so often; it comes here as any event
// does: outbox, relay, exchange, fan-out, dispatch, a signed POST over TLS, and an answer that is recorded. When the last
// one to come through was committed is a metric, and `canary` is missing from /readyz/deep where that is too long ago.
//
// Cast. `canary-subscription` keeps the row that matches them. `canary-receiver` is where they go: a listener on loopback
// in this very process. `last-canary` reads from the log which came through.
//
// How it reaches loopback without a hole in the wall: its deliveries, told by their tenant, are sent through an agent of
// their own (`canary-receiver`), which can connect to that one listener and trusts that listener's certificate alone.
// Everybody else's go through the agent, the guard and the authorities that they always did; the canary's URL leads
// nowhere for them. So the canary shows nothing of DNS, of the address guard or of the way to the internet.
import type { KeyObject } from "node:crypto";
import type { Readiness } from "@tradepost/http";
import { retryWhileUnavailable } from "@tradepost/postgres";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Pool } from "pg";
import type { Agent } from "undici";
import type { Tables } from "../tables.ts";
import { startCanaryReceiver } from "./canary-receiver.ts";
import {
  ensureCanarySubscription,
  readCanarySecret,
  removeCanarySubscription,
} from "./canary-subscription.ts";
import { isLate } from "./is-late.ts";
import { type LastCanary, readLastCanary } from "./last-canary.ts";

export interface Canary {
  /** For the canary's deliveries; none while it is off. */
  readonly agent?: Agent;
  /** For /readyz/deep; empty while it is off. */
  readonly readiness: Readiness;
  stop(): Promise<void>;
}

/** In: how often one is sent off; 0 is never, and then what an earlier start left of it is removed. */
export async function startCanary(options: {
  db: Kysely<Tables>;
  pool: Pool;
  everyMs: number;
  sealingKey: KeyObject;
  metrics: Metrics;
  logger: Logger;
}): Promise<Canary> {
  const { db, pool, everyMs, sealingKey, metrics, logger } = options;
  if (everyMs === 0) {
    await retryWhileUnavailable(logger, () => removeCanarySubscription(db));
    return { readiness: {}, stop: async () => {} };
  }
  await retryWhileUnavailable(logger, () => ensureCanarySubscription(db, sealingKey));
  const receiver = await startCanaryReceiver({ readSecret: () => readCanarySecret(db, sealingKey), logger });
  exposeMetrics(pool, metrics, logger);
  const startedAt = performance.now();
  return {
    agent: receiver.agent,
    readiness: {
      canary: async () => {
        const last = await readLastCanary(pool);
        const watchedSeconds = (performance.now() - startedAt) / 1_000;
        if (isLate(last, watchedSeconds, everyMs)) throw new Error("no canary comes through");
      },
    },
    stop: () => receiver.stop(),
  };
}

function exposeMetrics(pool: Pool, metrics: Metrics, logger: Logger): void {
  const read = async (): Promise<LastCanary> => {
    try {
      return await readLastCanary(pool);
    } catch (error) {
      logger.warn({ err: error }, "it could not be told which canary came through");
      return { ageSeconds: Number.NaN, latencySeconds: Number.NaN };
    }
  };
  metrics.gauge(
    "canary_age_seconds",
    "Seconds since the last canary that came through was committed, or since the canary was switched on; NaN where that could not be told.",
    [],
    async (gauge) => gauge.set((await read()).ageSeconds),
  );
  metrics.gauge(
    "canary_latency_seconds",
    "Seconds that the last canary that came through took from its commit to the record of its delivery; NaN before the first.",
    [],
    async (gauge) => gauge.set((await read()).latencySeconds),
  );
}
