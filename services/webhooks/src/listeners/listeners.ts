// The door of this wing: listeners, and the leases by which their clients fetch deliveries.
import type { Publisher } from "@tradepost/messaging";
import { tenantOf } from "@tradepost/postgres";
import { type Logger, type Metrics, repeatOrWarn } from "@tradepost/runtime";
import type { Settings } from "../config.ts";
import type { Databases } from "../databases.ts";
import type { Sealing } from "../endpoint/endpoint.ts";
import type { Reconciliations } from "../subscriptions/subscriptions.ts";
import type { LeaseWaiters } from "./lease-waiters.ts";
import { startLeases } from "./leases.ts";
import { expireListener, findOver } from "./listener-store.ts";
import { createReportResult } from "./report-result.ts";

export { leaseRoutes } from "./lease-routes.ts";
export { createLeaseWaiters } from "./lease-waiters.ts";
export { listenerRoutes } from "./listener-routes.ts";

export interface ListenersTimes {
  readonly lookForExpiredEveryMs?: number;
}

interface Options extends ListenersTimes {
  databases: Pick<Databases, "main" | "leases">;
  publisher: Publisher;
  waiters: LeaseWaiters;
  reconciliations: Pick<Reconciliations, "run">;
  sealing: Sealing;
  settings: Settings;
  metrics: Metrics;
  logger: Logger;
}

export function startListeners(options: Options) {
  const { databases, publisher, waiters, reconciliations, sealing, settings, metrics, logger } = options;
  const {
    WEBHOOKS_LEASE_MS: leaseMs,
    WEBHOOKS_RETRY_SCHEDULE: schedule,
    WEBHOOKS_MORE_EVENTS: more,
  } = settings;
  const { db } = databases.main;
  const { pool } = databases.leases;
  const leases = startLeases({ pool, db, waiters, reconciliations, sealing, more, leaseMs, metrics, logger });
  const reportResult = createReportResult({
    ...{ pool, publisher, schedule, logger },
    onRecorded: (listenerId) => waiters.wake([listenerId]),
  });
  const expiring = startExpiring(options);
  return {
    leases,
    reportResult,
    stop: async () => {
      await expiring.stop();
      await leases.stop();
    },
  };
}

// This query is the only cost of listeners while nobody leases.
const LOOK_FOR_EXPIRED_EVERY_MS = 30_000;
const TRY_AGAIN_AFTER_MS = 1_000;
const BATCH_LISTENERS_MAX = 100;

/** Pauses listeners from which nobody has leased for their whole lifetime. Every replica runs it. */
function startExpiring(options: Options) {
  const { reconciliations, logger, lookForExpiredEveryMs = LOOK_FOR_EXPIRED_EVERY_MS } = options;
  const { db } = options.databases.main;
  const warning = "could not look for expired listeners; retrying";
  return repeatOrWarn(logger, warning, TRY_AGAIN_AFTER_MS, async (isStopping) => {
    const over = await findOver(db, BATCH_LISTENERS_MAX);
    for (const { tenantId, subscriptionId } of over) {
      if (isStopping()) break;
      const hasExpired = await tenantOf(db, tenantId).transaction((tx) => expireListener(tx, subscriptionId));
      if (!hasExpired) continue;
      logger.info({ tenantId, listenerId: subscriptionId }, "listener expired; its deliveries are paused");
      await reconciliations.run({ tenantId, subscriptionId });
    }
    return over.length === BATCH_LISTENERS_MAX ? 0 : lookForExpiredEveryMs;
  });
}
