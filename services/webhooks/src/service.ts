// The webhooks service: consumes the platform's events and sends them to the subscriptions of tenants over signed HTTPS.
//
// Cast, by folder. `intake` turns an event into one delivery for each matching subscription. `sending` decides which deliveries
// start, makes the attempts and settles them; the others wait in Postgres or, for a retry, in a queue. Clients of `listeners`
// lease their deliveries and report the results. `notices` tell tenants of endpoints that fail, `log` shows events and deliveries
// while they are kept and replays them, `watch` finds what is lost, and `subscriptions` has the tenants' configuration. All use
// `delivery`, the only writer of `deliveries`, and `endpoint`: where requests may go, and the secrets that sign them.
//
// Guarantees. Each matching pair of event and subscription has one delivery. It ends as delivered, failed after exactly as many
// attempts as the schedule allows, or cancelled, or it stays paused. Postgres decides: if the broker loses everything, no event
// that was fanned out is lost. With synchronous standbys, a request to a receiver is made only after a standby has the commit of
// its fan-out or claim, and a message is acknowledged only once a standby has everything that its handler read. Not guaranteed:
// that a receiver gets a delivery only once, or in order.
import { behindGateway, openService } from "@tradepost/http";
import { startDeletingExpiredRecords } from "@tradepost/idempotency";
import { auditTallyRoute, checkBroker, countQuotaRefusals, startPublisher } from "@tradepost/messaging";
import { isDatabaseUnavailable } from "@tradepost/postgres";
import { type Logger, withBrokerCa } from "@tradepost/runtime";
import { DATABASE, type Settings } from "./config.ts";
import { connectDatabases } from "./databases.ts";
import { addressGuard, checkedSealing } from "./endpoint/endpoint.ts";
import { startIntake } from "./intake/intake.ts";
import { createLeaseWaiters, type ListenersTimes, startListeners } from "./listeners/listeners.ts";
import { startReplays, startRetention } from "./log/log.ts";
import { type DestinationTimes, quotaRoutes, startDestinations } from "./notices/notices.ts";
import { readingPastEvents } from "./read-past-events.ts";
import { startAuditRelay } from "./record-audit.ts";
import { routes } from "./routes.ts";
import { type SendingTimes, startSending } from "./sending/sending.ts";
import { startReconciliations } from "./subscriptions/subscriptions.ts";
import { declareTopology } from "./topology.ts";
import { startFindingMissingEvents, startWatch } from "./watch/watch.ts";

export { stopTime } from "./sending/sending.ts";

export type StartOptions = SendingTimes & ListenersTimes & DestinationTimes;

/** `stop` stops the parts in reverse order and lets attempts finish. */
export async function startWebhooks(settings: Settings, logger: Logger, options: StartOptions = {}) {
  await using opening = await openService("webhooks", settings, logger);
  const { metrics, tracer, started } = opening;
  const databases = started(await connectDatabases(settings, { metrics, tracer, logger }));
  const { pool, db } = databases.main;
  const { WEBHOOKS_MORE_EVENTS: more, CANARY_EVERY_MS: canaryEveryMs } = settings;
  const url = withBrokerCa(settings.AMQP_URL, settings.AMQP_CA_FILE);
  const broker = { url, declare: declareTopology(settings.WEBHOOKS_RETRY_SCHEDULE, more), metrics, logger };
  const guard = addressGuard(settings.WEBHOOKS_EGRESS_ALLOW);
  const sealing = await checkedSealing(settings, { db, metrics, logger });
  started(startDeletingExpiredRecords(pool, logger));
  // Before a queue is bound, so that the first canary finds its subscription.
  const canary = started(await startWatch({ databases, sealing, canaryEveryMs, metrics, logger }));
  const publisher = started(startPublisher({ ...broker, name: "webhooks.publisher" }));
  const sending = started(
    await startSending({
      ...{ settings, databases, broker, publisher, sealing, guard, metrics, tracer, logger },
      ...{ ...options, canaryAgent: canary.agent, onNotice: () => destinations.wake() },
    }),
  );
  const { send, lockMs } = sending;
  const destinations = started(startDestinations({ settings, db, send, logger, ...options, lockMs }));
  const waiters = createLeaseWaiters();
  const wakes = { onWaiting: sending.wake, onLeasable: waiters.wake };
  const reconciliations = started(startReconciliations({ db, ...wakes, logger }));
  const replays = started(startReplays({ db, ...wakes, logger }));
  const { leases, reportResult } = started(
    startListeners({
      ...{ databases, publisher, waiters, reconciliations, sealing, settings, metrics, logger, ...options },
    }),
  );
  started(startRetention({ pool, days: settings.WEBHOOKS_LOG_DAYS, logger }));
  const intake = await startIntake({ databases, broker, more, sending, ...wakes, tracer, logger });
  started(startFindingMissingEvents({ databases, broker, settings, metrics, logger }));
  const audit = started(
    startAuditRelay({
      database: { url: databases.url, role: DATABASE.roles[0], prepare: settings.POSTGRES_PREPARE },
      ...{ amqpUrl: url, metrics, tracer, logger },
    }),
  );
  const { tenants, writers } = databases;
  const http = opening.serve({
    ...behindGateway(settings.GATEWAY_SECRET, opening),
    onRefused: countQuotaRefusals(metrics),
    routes: [
      ...routes({
        tenants,
        writers,
        more,
        sealing,
        guard,
        replays,
        reconciliations,
        leases,
        reportResult,
        ...wakes,
        readPastEvents: readingPastEvents(),
        ...{ onCommit: audit.wake, canMail: destinations.canMail, logDays: settings.WEBHOOKS_LOG_DAYS },
      }),
      ...quotaRoutes({ tenants, pool, writers, onNotice: destinations.wake }),
      auditTallyRoute(pool, { isAuditOnly: true }),
    ],
    readiness: { database: databases.ping },
    replicated: databases.main.replicated,
    // Without the broker, the API is still served; deliveries wait.
    degradedWithout: {
      broker: () => checkBroker(metrics, publisher.isUp() && sending.isUp() && intake.isUp()),
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
  // Together, so that an attempt has its whole time, whatever requests are in progress.
  started({ stop: () => Promise.all([http.stop(), stopDelivering()]) });
  return { url: http.url, migration: databases.migration, ...opening.run() };
}
