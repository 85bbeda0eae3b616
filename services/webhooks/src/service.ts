// The webhooks service: consumes the platform's events and sends them to the subscriptions of tenants over signed HTTPS.
//
// Cast, by folder. In `intake/`, fan-out turns an event into one delivery for each matching subscription, and tallies show whether
// all events arrive. In `sending/`, the **scheduler**, in memory, decides how many attempts each endpoint may have at a time: a
// delivery that may start is inserted as claimed, and `dispatch` sends it and settles the attempt. Other deliveries wait in
// Postgres, oldest first, and are claimed as attempts end, or by the **admission loop**. A delivery whose attempt failed waits in a
// retry queue, whose messages return through `webhooks.deliveries`; after its last attempt it becomes a dead letter in
// `webhooks.dead`. The **sweep** publishes again the messages that the broker lost, and deliveries that a dead process had claimed.
// Deliveries of `listeners/` are never dispatched: their clients lease them and report the results. `log/` shows events and
// deliveries for as long as they are kept. `watch/` counts events without all of their deliveries, and its **canary** shows that a
// commit in another service still arrives as a webhook. `subscriptions/` has the tenants' configuration, with secrets sealed by
// `sealing/`; all of these use `delivery/`. Admins' changes go to the gateway's audit log through an outbox.
//
// Guarantees. Each matching pair of event and subscription has one delivery. It ends as delivered, failed after exactly as many
// attempts as the schedule allows, or cancelled, or it stays paused. Postgres decides: if the broker loses everything, no event
// that was fanned out is lost. With synchronous standbys, a request to a receiver is made only after a standby has the commit of
// its fan-out or claim, and a message is acknowledged only once a standby has everything that its handler read. Not guaranteed:
// that a receiver gets a delivery only once, or in order.
import { auditTallyRoute, behindGateway, openService } from "@tradepost/http";
import { startDeletingExpiredRecords } from "@tradepost/idempotency";
import { readAuditTally, startPublisher } from "@tradepost/messaging";
import { isDatabaseUnavailable } from "@tradepost/postgres";
import { type Logger, withBrokerCa } from "@tradepost/runtime";
import type { Settings } from "./config.ts";
import { connectDatabases, DATABASE_ROLE } from "./databases.ts";
import { declareTopology } from "./delivery/delivery.ts";
import { startDestinations } from "./destination/destination.ts";
import { startIntake } from "./intake/intake.ts";
import { createLeaseWaiters, startListeners } from "./listeners/listeners.ts";
import { startRetention } from "./log/log.ts";
import { startAuditRelay } from "./record-audit.ts";
import { startReplays } from "./replays/replays.ts";
import { routes } from "./routes.ts";
import { checkedSealing } from "./sealing/sealing.ts";
import { lockTime, startSending } from "./sending/sending.ts";
import { addressGuard, type Patience, startSubscriptions } from "./subscriptions/subscriptions.ts";
import { usageRoutes } from "./usage/usage.ts";
import { startWatch } from "./watch/watch.ts";

// Requests in progress may take 12 s.
const STOP_MS_MIN = 15_000;

/** Options for tests, which do not wait for hours. */
export interface StartOptions {
  /** How often to search for expired listeners, in ms. */
  readonly lookForExpiredEveryMs?: number;
  /** How long a claim lasts without being renewed, in ms. */
  readonly lockMs?: number;
  /** How long an endpoint must fail before it counts as down, and how often it is then tried. */
  readonly patience?: Patience;
  /** How often the waiting deliveries are compared with their bounds, in ms. */
  readonly lookAtBoundsEveryMs?: number;
  /** A mail lists the notices that opened within this time, in ms. */
  readonly mailAfterMs?: number;
}

/** Returns how long the stop may take after the idle grace, in ms: long enough for attempts in progress to end (interface §9). */
export function stopTime({ WEBHOOKS_TIMEOUT_MS }: Pick<Settings, "WEBHOOKS_TIMEOUT_MS">): number {
  return Math.max(STOP_MS_MIN, lockTime(WEBHOOKS_TIMEOUT_MS));
}

/** Starts the service. `stop` stops its parts in reverse order and lets running attempts finish. */
export async function startWebhooks(settings: Settings, logger: Logger, options: StartOptions = {}) {
  await using opening = await openService("webhooks", settings, logger);
  const { metrics, tracer, started } = opening;
  const databases = started(await connectDatabases(settings, { metrics, tracer, logger }));
  const { pool, db } = databases.main;
  const { WEBHOOKS_RETRY_SCHEDULE: schedule, WEBHOOKS_SWEEP_GRACE_MS: graceMs } = settings;
  const url = withBrokerCa(settings.AMQP_URL, settings.AMQP_CA_FILE);
  const broker = { url, declare: declareTopology(schedule), metrics, logger };
  const guard = addressGuard(settings.WEBHOOKS_EGRESS_ALLOW);
  const sealing = await checkedSealing(settings, { db, metrics, logger });
  started(startDeletingExpiredRecords(pool, logger));
  // Starts before a queue is bound, so that the first canary finds its subscription.
  const canaryEveryMs = settings.CANARY_EVERY_MS;
  const canary = started(await startWatch({ databases, sealing, canaryEveryMs, metrics, logger }));
  const publisher = started(startPublisher({ ...broker, name: "webhooks.publisher" }));
  const sending = started(
    await startSending({
      ...{ settings, databases, broker, publisher, sealing, guard, metrics, tracer, logger },
      ...{ canaryAgent: canary.agent, lockMs: options.lockMs, patience: options.patience },
      lookAtBoundsEveryMs: options.lookAtBoundsEveryMs,
      onNotice: () => destinations.wake(),
    }),
  );
  const { send, lockMs } = sending;
  const { mailAfterMs } = options;
  const destinations = started(startDestinations({ settings, pool, send, lockMs, mailAfterMs, logger }));
  const waiters = createLeaseWaiters();
  const wakes = { onWaiting: sending.wake, onLeasable: waiters.wake };
  const { reconciliations } = started(startSubscriptions({ db, ...wakes, logger }));
  const replays = started(startReplays({ db, ...wakes, logger }));
  const { leases, reportResult } = started(
    startListeners({
      ...{ databases, publisher, waiters, reconciliations, sealing, schedule, metrics, logger },
      leaseMs: settings.WEBHOOKS_LEASE_MS,
      lookForExpiredEveryMs: options.lookForExpiredEveryMs,
    }),
  );
  started(startRetention({ pool, days: settings.WEBHOOKS_LOG_DAYS, logger }));
  const { onLeasable } = wakes;
  const intake = started(
    startIntake({ databases, broker, sending, onLeasable, graceMs, metrics, tracer, logger }),
  );
  const audit = started(
    startAuditRelay({
      ...{ databaseUrl: databases.url, databaseRole: DATABASE_ROLE, amqpUrl: url },
      ...{ prepare: settings.POSTGRES_PREPARE, metrics, tracer, logger },
    }),
  );
  const { tenants, writers } = databases;
  const http = opening.serve({
    ...behindGateway(settings.GATEWAY_SECRET, opening),
    routes: [
      ...routes({
        ...{ tenants, writers },
        onCommit: audit.wake,
        ...wakes,
        canMail: destinations.canMail,
        logDays: settings.WEBHOOKS_LOG_DAYS,
        ...{ sealing, guard, replays, reconciliations, leases, reportResult },
      }),
      ...usageRoutes.map((make) => make({ tenants, writers, onNotice: destinations.wake })),
      // The outbox has nothing but audit entries.
      auditTallyRoute((asked) => readAuditTally(pool, { ...asked, isAuditOnly: true })),
    ],
    readiness: { database: databases.ping },
    replicated: databases.main.replicated,
    // Without the broker, the API is still served; deliveries wait.
    degradedWithout: {
      broker: async () => {
        if (!publisher.isUp() || !sending.isUp() || !intake.isUp())
          throw new Error("not connected to the broker");
      },
    },
    deepReadiness: canary.readiness,
    isUnavailable: isDatabaseUnavailable,
    onStop: leases.endWaits,
  });
  const stopDelivering = async () => {
    await http.closePort();
    await Promise.all([intake.stopConsuming(), sending.stopConsuming()]);
    await sending.finish();
  };
  // Both at the same time, so that an attempt has its whole time, whatever requests are in progress.
  started({ stop: () => Promise.all([http.stop(), stopDelivering()]) });
  return { url: http.url, ...opening.run() };
}
