// The door of this wing: whether events become deliveries, and which are stuck.
import { startConsumer } from "@tradepost/messaging";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Settings } from "../config.ts";
import type { Databases } from "../databases.ts";
import type { Sealing } from "../endpoint/endpoint.ts";
import { type Broker, TALLIES_QUEUE, talliedServices } from "../topology.ts";
import { type Canary, startCanary } from "./canary.ts";
import { tallyHandler } from "./compare-tally.ts";
import { startMissingEvents } from "./missing-events.ts";
import { watchDeliveries } from "./watch-deliveries.ts";
import { watchUnaccounted } from "./watch-unaccounted.ts";

export { type Backlog, readBacklog } from "./backlog.ts";
export { findStuck, type Stuck } from "./find-stuck.ts";
export { type DeliveryTotals, readDeliveryTotals } from "./read-delivery-totals.ts";
export { countEndpoints, readOldestWaiting } from "./watch-deliveries.ts";

/** The canary is off if `canaryEveryMs` is 0. */
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

export function startFindingMissingEvents(options: {
  databases: Pick<Databases, "main" | "deliveries">;
  broker: Broker;
  settings: Settings;
  metrics: Metrics;
  logger: Logger;
}): { stop(): Promise<void> } {
  const { databases, broker, settings, metrics, logger } = options;
  const missing = startMissingEvents({
    graceMs: settings.WEBHOOKS_SWEEP_GRACE_MS,
    ...{ db: databases.main.db, logDays: settings.WEBHOOKS_LOG_DAYS, metrics, logger },
  });
  const { db, replicated } = databases.deliveries;
  const tallies = startConsumer({
    ...{ ...broker, replicated },
    name: "webhooks.tally",
    // The consumer of `webhooks.events` declares all queues again.
    declaresAgain: false,
    queue: TALLIES_QUEUE,
    prefetch: 1,
    handle: tallyHandler({
      services: talliedServices(settings.WEBHOOKS_MORE_EVENTS),
      ...{ db, onMissing: missing.wake, logger },
    }),
  });
  return {
    stop: async () => {
      await tallies.stop();
      await missing.stop();
    },
  };
}
