// The door of this wing: listeners, and the leases by which their clients fetch deliveries.
import type { Publisher } from "@tradepost/messaging";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Settings } from "../config.ts";
import type { Databases } from "../databases.ts";
import type { Sealing } from "../endpoint/endpoint.ts";
import type { Reconciliations } from "../subscriptions/subscriptions.ts";
import { startExpiringListeners } from "./expire-listeners.ts";
import type { LeaseWaiters } from "./lease-waiters.ts";
import { startLeases } from "./leases.ts";
import { createReportResult } from "./report-result.ts";

export { leaseRoutes } from "./lease-routes.ts";
export { createLeaseWaiters } from "./lease-waiters.ts";
export { listenerRoutes } from "./listener-routes.ts";

// The only cost of listeners while nobody leases.
const LOOK_FOR_EXPIRED_EVERY_MS = 30_000;

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
  const lookEveryMs = options.lookForExpiredEveryMs ?? LOOK_FOR_EXPIRED_EVERY_MS;
  const expiring = startExpiringListeners({ db, reconciliations, lookEveryMs, logger });
  return {
    leases,
    reportResult,
    stop: async () => {
      await expiring.stop();
      await leases.stop();
    },
  };
}
