// The webhooks service: consumes the platform's events and sends them to the subscriptions of tenants over signed HTTPS.
//
// Cast. `fan-out` turns an event into one delivery for each matching subscription. `dispatch` claims a delivery, sends it
// and settles the attempt. A delivery whose attempt failed waits in a retry queue; after its last attempt it becomes a dead
// letter in `webhooks.dead`. Each endpoint has a **window**: that many of its deliveries are queued or being attempted. The
// rest waits in Postgres, oldest first, and is admitted (`endpoint/admit`) as attempts end, or by the **admission loop**.
// The **sweep** publishes again what the broker lost. Admins' changes go to the gateway's audit log through an outbox.
// **Accounting** checks that events have all of their deliveries, the **canary** that a commit in another service still
// arrives as a webhook.
//
// Guarantees. Each matching pair of event and subscription has one delivery, which ends delivered, failed after exactly as
// many attempts as the schedule allows, or cancelled, or stays paused. Postgres decides: if the broker loses everything, no
// event that was fanned out is lost. Not guaranteed: that a receiver gets a delivery only once, or in order.
import { identifyBySignature, serveHttp, startListening } from "@tradepost/http";
import { AUDIT_EXCHANGE, startConsumer, startPublisher, startRelay } from "@tradepost/messaging";
import {
  BY_INDEX,
  connectPostgres,
  connectTenants,
  isDatabaseUnavailable,
  waitForMigrations,
} from "@tradepost/postgres";
import { createMetrics, type Logger } from "@tradepost/runtime";
import { watchUnaccounted } from "./accounting/watch-unaccounted.ts";
import { startCanary } from "./canary/canary.ts";
import type { Settings } from "./config.ts";
import { redriveDeadLetters } from "./delivery/dead-letters.ts";
import { startAdmissionLoop } from "./dispatch/admission-loop.ts";
import { startClaim } from "./dispatch/claim.ts";
import { startDispatch } from "./dispatch/dispatch.ts";
import { startRequeueDue } from "./dispatch/requeue-due.ts";
import { startSend } from "./dispatch/send.ts";
import { startSettle } from "./dispatch/settle.ts";
import { startSweep } from "./dispatch/sweep.ts";
import { startFanOut } from "./fan-out/fan-out.ts";
import { routes } from "./http/routes.ts";
import { startReconciliations } from "./reconciliation/reconciliations.ts";
import { startRecoveries } from "./recovery/recoveries.ts";
import { startRetention } from "./retention/retention.ts";
import { addressGuard } from "./subscription/address.ts";
import type { Tables } from "./tables.ts";
import { DELIVERIES_QUEUE, declareTopology, EVENTS_QUEUE } from "./topology.ts";

const DATABASE_CONNECTIONS_MAX = 16;
// A slow list of one tenant takes no connection from deliveries.
const TENANTS_CONNECTIONS_MAX = 4;
/** Created by the migrations, which say what each may do. */
const DATABASE_ROLE = "tradepost_webhooks";
const TENANTS_ROLE = "tradepost_webhooks_tenant";
// The database is the bottleneck of fan-out; more unacknowledged events would only mean more redeliveries after a crash.
// An event may have 2 MiB: 128 MiB in all.
const EVENTS_UNACKED_MAX = 64;

/** Starts the service. `stop` stops its parts in reverse order and lets running attempts finish. */
export async function startWebhooks(settings: Settings, logger: Logger) {
  const listener = await startListening({ host: settings.HOST, port: settings.PORT });
  const running = new AsyncDisposableStack();
  const metrics = createMetrics("webhooks");
  const databaseUrl = settings.WEBHOOKS_DATABASE_URL;
  const folder = new URL("../migrations/", import.meta.url);
  await waitForMigrations({ url: databaseUrl, role: DATABASE_ROLE, folder, logger });
  const postgres = connectPostgres<Tables>({
    url: databaseUrl,
    role: DATABASE_ROLE,
    name: "webhooks",
    connectionsMax: DATABASE_CONNECTIONS_MAX,
    prepare: settings.POSTGRES_PREPARE,
    settings: BY_INDEX,
    logger,
  });
  running.defer(() => postgres.stop());
  const tenants = connectTenants<Tables>({
    url: databaseUrl,
    role: TENANTS_ROLE,
    name: "webhooks.tenants",
    connectionsMax: TENANTS_CONNECTIONS_MAX,
    prepare: settings.POSTGRES_PREPARE,
    settings: BY_INDEX,
    logger,
  });
  running.defer(() => tenants.stop());

  const { pool, db } = postgres;
  const schedule = settings.WEBHOOKS_RETRY_SCHEDULE;
  const timeoutMs = settings.WEBHOOKS_TIMEOUT_MS;
  const guard = addressGuard(settings.WEBHOOKS_EGRESS_ALLOW);
  const broker = { url: settings.AMQP_URL, logger, declare: declareTopology(schedule) };

  // Before a queue is bound, so that the first canary finds its subscription.
  const canary = await startCanary({
    ...{ db, metrics, logger },
    everyMs: settings.CANARY_EVERY_MS,
    sealingKey: settings.WEBHOOKS_SEALING_KEY,
  });
  running.defer(() => canary.stop());
  watchUnaccounted({ db, metrics, logger });
  const publisher = startPublisher({ ...broker, name: "webhooks.publisher" });
  running.defer(() => publisher.stop());
  const sweep = startSweep({ pool, publisher, graceMs: settings.WEBHOOKS_SWEEP_GRACE_MS, logger, metrics });
  running.defer(() => sweep.stop());

  const admissionLoop = startAdmissionLoop({ pool, publisher, logger });
  running.defer(() => admissionLoop.stop());

  const recoveries = startRecoveries({ db, onWaiting: admissionLoop.wake, logger });
  running.defer(() => recoveries.stop());
  const reconciliations = startReconciliations({ db, onWaiting: admissionLoop.wake, logger });
  running.defer(() => reconciliations.stop());
  const retention = startRetention({ pool, days: settings.WEBHOOKS_LOG_DAYS, logger });
  running.defer(() => retention.stop());

  const sender = startSend({
    timeoutMs,
    concurrency: settings.WEBHOOKS_CONCURRENCY,
    sealingKey: settings.WEBHOOKS_SEALING_KEY,
    guard,
    canaryAgent: canary.agent,
  });
  running.defer(() => sender.stop());
  const stopping = new AbortController();
  const dispatch = startConsumer({
    ...broker,
    name: "webhooks.dispatch",
    queue: DELIVERIES_QUEUE,
    prefetch: settings.WEBHOOKS_CONCURRENCY,
    handle: startDispatch({
      claim: startClaim(pool, timeoutMs),
      requeueDue: startRequeueDue(pool, publisher),
      send: sender.send,
      settle: startSettle({ pool, publisher, schedule, stopping: stopping.signal, logger }),
      redrive: (filter) => redriveDeadLetters(db, filter),
      logger,
    }),
  });
  running.defer(() => {
    stopping.abort();
    return dispatch.stop();
  });
  const fanOut = startConsumer({
    ...broker,
    name: "webhooks.fan-out",
    queue: EVENTS_QUEUE,
    prefetch: EVENTS_UNACKED_MAX,
    handle: startFanOut({ pool, publisher, logger }),
  });
  running.defer(() => fanOut.stop());

  const audit = startRelay({
    service: "webhooks",
    databaseUrl,
    databaseRole: DATABASE_ROLE,
    prepare: settings.POSTGRES_PREPARE,
    amqpUrl: settings.AMQP_URL,
    exchange: AUDIT_EXCHANGE,
    // An entry waits in the outbox until the gateway has bound its queue.
    mustRoute: () => true,
    logger,
    metrics,
  });
  running.defer(() => audit.stop());

  const http = serveHttp({
    listener,
    idleGraceMs: settings.DRAIN_IDLE_MS,
    routes: routes({
      tenants,
      db,
      sealingKey: settings.WEBHOOKS_SEALING_KEY,
      guard,
      onCommit: audit.wake,
      onWaiting: admissionLoop.wake,
      recoveries,
      reconciliations,
    }),
    identify: identifyBySignature(settings.GATEWAY_SECRET),
    readiness: {
      database: async () => void (await Promise.all([postgres.ping(), tenants.ping()])),
      broker: async () => {
        if (!publisher.isUp() || !dispatch.isUp() || !fanOut.isUp())
          throw new Error("not connected to the broker");
      },
    },
    deepReadiness: canary.readiness,
    isUnavailable: isDatabaseUnavailable,
    metricsOn: "this port",
    metrics,
    logger,
  });
  running.defer(() => http.stop());
  return { url: http.url, stop: () => running.disposeAsync() };
}
