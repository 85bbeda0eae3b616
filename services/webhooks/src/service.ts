// The webhooks service: hears the platform's events and tells the tenants who subscribed, over signed HTTPS.
//
// Cast. `fan-out` turns an event into one delivery for each matching subscription. `dispatch` takes a delivery,
// sends it and settles what became of it. A failed attempt goes through the retry queue of its wait, and comes back;
// after the last it lies in `webhooks.dead`. Each endpoint has a **window** of deliveries on the broker and under way;
// the rest waits in Postgres, oldest first, and is let in (`endpoint/admit`) as attempts end, or by the **feed**. The
// **sweep** puts back on the broker what the broker lost. What admins change is reported to the gateway's audit log
// through an outbox. The **ledger** watches whether events have all of their deliveries, the **canary** whether a commit
// elsewhere still comes out as a webhook.
//
// Guarantees. Every matched pair of event and subscription has one row and ends delivered, failed after exactly as
// many attempts as the schedule allows, paused or cancelled. Postgres holds the truth; losing the whole broker loses
// nothing that got here. Not guaranteed: that a receiver sees a delivery only once, or in order.
import { identifyBySignature, serveHttp, startListening } from "@tradepost/http";
import { AUDIT_EXCHANGE, startConsumer, startPublisher, startRelay } from "@tradepost/messaging";
import { connectPostgres, isDatabaseUnavailable, waitForMigrations } from "@tradepost/postgres";
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

const DATABASE_CONNECTIONS_MAX = 20;
/** Made by the migrations; see there what it may do. */
const DATABASE_ROLE = "tradepost_webhooks";
// Fan-out is bound by the database; more in hand than a batch only lengthens what a crash repeats. An event may have 2 MiB, so
// all of them take 128 MiB at most.
const EVENTS_IN_HAND_MAX = 64;

/** Starts the service; `stop` takes it down in reverse order, attempts under way finishing first. */
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
    logger,
  });
  running.defer(() => postgres.stop());

  const { pool, db } = postgres;
  const schedule = settings.WEBHOOKS_RETRY_SCHEDULE;
  const timeoutMs = settings.WEBHOOKS_TIMEOUT_MS;
  const guard = addressGuard(settings.WEBHOOKS_EGRESS_ALLOW);
  const broker = { url: settings.AMQP_URL, logger, declare: declareTopology(schedule) };

  // Before a queue is bound, so that the first canary finds what it is to match.
  const canary = await startCanary({
    ...{ db, pool, metrics, logger },
    everyMs: settings.CANARY_EVERY_MS,
    sealingKey: settings.WEBHOOKS_SEALING_KEY,
  });
  running.defer(() => canary.stop());
  watchUnaccounted({ pool, metrics, logger });
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
      take: startClaim(pool, timeoutMs),
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
    prefetch: EVENTS_IN_HAND_MAX,
    handle: startFanOut({ pool, publisher, logger }),
  });
  running.defer(() => fanOut.stop());

  const audit = startRelay({
    service: "webhooks",
    databaseUrl,
    databaseRole: DATABASE_ROLE,
    amqpUrl: settings.AMQP_URL,
    exchange: AUDIT_EXCHANGE,
    // An entry waits until the gateway has bound its queue.
    mustRoute: () => true,
    logger,
    metrics,
  });
  running.defer(() => audit.stop());

  const http = serveHttp({
    listener,
    idleGraceMs: settings.DRAIN_IDLE_MS,
    routes: routes({
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
      database: postgres.ping,
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
