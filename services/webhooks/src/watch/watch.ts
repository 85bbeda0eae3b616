// The door of this wing: metrics and checks that show whether events become deliveries, and which are stuck.
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Databases } from "../databases.ts";
import type { Sealing } from "../sealing/sealing.ts";
import { type Canary, startCanary } from "./canary.ts";
import { watchDeliveries } from "./watch-deliveries.ts";
import { watchUnaccounted } from "./watch-unaccounted.ts";

export { type Backlog, readBacklog } from "./backlog.ts";
export { findStuck, type Stuck } from "./find-stuck.ts";
export { type DeliveryTotals, readDeliveryTotals } from "./read-delivery-totals.ts";

/** Exposes the metrics, and starts the canary, which is off if `canaryEveryMs` is 0. */
export async function startWatch(options: {
  databases: Pick<Databases, "main" | "leases">;
  sealing: Sealing;
  canaryEveryMs: number;
  metrics: Metrics;
  logger: Logger;
}): Promise<Canary> {
  const { databases, sealing, canaryEveryMs: everyMs, metrics, logger } = options;
  const { db } = databases.main;
  const canary = await startCanary({ db, everyMs, sealing, metrics, logger });
  watchUnaccounted({ db, metrics, logger });
  watchDeliveries(databases.leases.pool, metrics);
  return canary;
}
