// The webhooks service: consumes the platform's events and sends them to the subscriptions of tenants over signed HTTPS.
//
// Cast. `fan-out` turns an event into one delivery for each matching subscription. The **scheduler**, in memory, decides how many
// attempts each endpoint may have at a time: a delivery that may start is inserted as claimed, and `dispatch` sends it and
// settles the attempt. The rest waits in Postgres, oldest first, and is claimed as attempts end, or by the **admission loop**. A
// delivery whose attempt failed waits in a retry queue, whose messages return through `webhooks.deliveries`; after its last
// attempt it becomes a dead letter in `webhooks.dead`. The **sweep** publishes what the broker lost and what a dead process had
// claimed. Deliveries of **listeners** are never dispatched: `lease` gives them to the listeners' clients and records the results
// that these report. Admins' changes go to the gateway's audit log through an outbox. `startDeletingExpiredRecords` deletes the records of
// Idempotency-Keys after 24 hours. **Accounting** checks that events have all of their deliveries, **tallies** that all events arrive, the **canary** that a commit in
// another service still arrives as a webhook.
//
// Guarantees. Each matching pair of event and subscription has one delivery, which ends delivered, failed after exactly as
// many attempts as the schedule allows, or cancelled, or stays paused. Postgres decides: if the broker loses everything, no
// event that was fanned out is lost. With synchronous standbys, a request to a receiver follows a commit that a standby has, its
// fan-out's or its claim's, and a message is acknowledged once a standby has what its handler found. Not guaranteed: that a receiver gets a delivery only once, or in order.
import { identifyBySignature, refusedSignatures, serveHttp, startListening } from "@tradepost/http";
import { startDeletingExpiredRecords } from "@tradepost/idempotency";
import { AUDIT_EXCHANGE, startConsumer, startPublisher, startRelay } from "@tradepost/messaging";
import {
  BY_INDEX,
  connectPostgres,
  connectTenants,
  isDatabaseUnavailable,
  retryWhileUnavailable,
  tenantOf,
  waitForMigrations,
} from "@tradepost/postgres";
import { createMetrics, databaseAddress, type Logger, startTracer, withBrokerCa } from "@tradepost/runtime";
import type { Settings } from "./config.ts";
import {
  DELIVERIES_QUEUE,
  declareTopology,
  EVENTS_QUEUE,
  POISON_QUEUE,
  redriveDeadLetters,
  TALLIES_QUEUE,
} from "./delivery/delivery.ts";
import { fanOutHandler, startMissingEvents, tallyHandler } from "./intake/intake.ts";
import { createReportResult, startExpiringListeners, startLeases } from "./listeners/listeners.ts";
import { startRetention } from "./log/log.ts";
import { routes } from "./routes.ts";
import { checkSealingKeys, createSealing, sealingKeysOf } from "./sealing/sealing.ts";
import {
  countAttempts,
  createRequeue,
  createScheduler,
  createSettle,
  jobHandler,
  lockTime,
  startAdmissionLoop,
  startCountingProcesses,
  startDispatch,
  startRenewingClaims,
  startSend,
  startSweep,
} from "./sending/sending.ts";
import { addressGuard, startReconciliations, startRecoveries } from "./subscriptions/subscriptions.ts";
import type { Tables } from "./tables.ts";
import { startCanary, watchDeliveries, watchUnaccounted } from "./watch/watch.ts";

const DATABASE_CONNECTIONS_MAX = 10;
// For fan-out and dispatch, which do one batch at a time and start another only if that one takes long.
const DELIVERY_CONNECTIONS_MAX = 6;
// `deliveries` is full at one moment and empty at the next, so the planner's statistics are wrong. These settings, and the shape
// of the statements of fan-out and dispatch, leave one plan: by key (decision 0013). So each connection plans a statement once:
// planning one for its values takes longer than a batch of one delivery.
const ALWAYS_BY_INDEX = {
  ...BY_INDEX,
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  plan_cache_mode: "force_generic_plan",
};
// Listeners' clients take no connection from fan-out and dispatch, however many they are.
const LEASE_CONNECTIONS_MAX = 4;
// Lists and counts end after a page: they walk through an index in its order. A bitmap would read all rows first, and sort them.
const IN_ORDER_OF_THE_INDEX = { ...BY_INDEX, enable_bitmapscan: "off" };
// A slow list of one tenant takes no connection from deliveries.
const TENANTS_CONNECTIONS_MAX = 4;
/** Created by the migrations, which say what each may do. */
const DATABASE_ROLE = "tradepost_webhooks";
const TENANTS_ROLE = "tradepost_webhooks_tenant";
// The database is the bottleneck of fan-out; more unacknowledged events would only mean more redeliveries after a crash.
// An event may have 2 MiB: 128 MiB in all.
const EVENTS_UNACKED_MAX = 64;
// Each costs a row's update, in batches.
const JOBS_UNACKED_MAX = 200;

// Listeners expire after hours. How often their table is looked at is all that listeners cost while nobody leases.
const LOOK_FOR_EXPIRED_EVERY_MS = 30_000;

interface Options {
  /** Tests, which set the time of an expiry, do not wait for it. */
  readonly lookForExpiredEveryMs?: number;
  /** How long a claim lasts without being renewed, in ms. */
  readonly lockMs?: number;
}

// Requests in progress may take 12 s.
const STOP_MS_MIN = 15_000;

/** How long the stop may take after the idle grace, in ms: attempts in progress come to their end (interface §9). */
export function stopTime({ WEBHOOKS_TIMEOUT_MS }: Pick<Settings, "WEBHOOKS_TIMEOUT_MS">): number {
  return Math.max(STOP_MS_MIN, lockTime(WEBHOOKS_TIMEOUT_MS));
}

/** Starts the service. `stop` stops its parts in reverse order and lets running attempts finish. */
export async function startWebhooks(
  settings: Settings,
  logger: Logger,
  {
    lookForExpiredEveryMs = LOOK_FOR_EXPIRED_EVERY_MS,
    lockMs = lockTime(settings.WEBHOOKS_TIMEOUT_MS),
  }: Options = {},
) {
  const listener = await startListening({ host: settings.HOST, port: settings.PORT });
  // Ends what was started if a later step fails.
  await using starting = new AsyncDisposableStack();
  starting.defer(() => listener.close());
  const metrics = createMetrics("webhooks");
  const tracer = startTracer({
    service: "webhooks",
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    ...{ metrics, logger },
  });
  starting.defer(() => tracer.stop());
  const databaseUrl = databaseAddress(settings.WEBHOOKS_DATABASE_URL, settings);
  const amqpUrl = withBrokerCa(settings.AMQP_URL, settings.AMQP_CA_FILE);
  const folder = new URL("../migrations/", import.meta.url);
  await waitForMigrations({ url: databaseUrl, roles: [DATABASE_ROLE, TENANTS_ROLE], folder, logger });
  const postgres = connectPostgres<Tables>({
    url: databaseUrl,
    role: DATABASE_ROLE,
    name: "webhooks",
    connectionsMax: DATABASE_CONNECTIONS_MAX,
    prepare: settings.POSTGRES_PREPARE,
    settings: BY_INDEX,
    metrics,
    logger,
  });
  starting.defer(() => postgres.stop());
  const deliveries = connectPostgres<Tables>({
    url: databaseUrl,
    role: DATABASE_ROLE,
    name: "webhooks.deliveries",
    connectionsMax: DELIVERY_CONNECTIONS_MAX,
    prepare: settings.POSTGRES_PREPARE,
    settings: ALWAYS_BY_INDEX,
    metrics,
    logger,
  });
  starting.defer(() => deliveries.stop());
  const leasing = connectPostgres<Tables>({
    url: databaseUrl,
    role: DATABASE_ROLE,
    name: "webhooks.leases",
    connectionsMax: LEASE_CONNECTIONS_MAX,
    prepare: settings.POSTGRES_PREPARE,
    settings: ALWAYS_BY_INDEX,
    metrics,
    logger,
  });
  starting.defer(() => leasing.stop());
  const tenants = connectTenants<Tables>({
    url: databaseUrl,
    role: TENANTS_ROLE,
    name: "webhooks.tenants",
    connectionsMax: TENANTS_CONNECTIONS_MAX,
    prepare: settings.POSTGRES_PREPARE,
    settings: IN_ORDER_OF_THE_INDEX,
    metrics,
    tracer,
    logger,
  });
  starting.defer(() => tenants.stop());

  const { pool, db } = postgres;
  const schedule = settings.WEBHOOKS_RETRY_SCHEDULE;
  const timeoutMs = settings.WEBHOOKS_TIMEOUT_MS;
  const guard = addressGuard(settings.WEBHOOKS_EGRESS_ALLOW);
  const broker = { url: amqpUrl, logger, metrics, declare: declareTopology(schedule) };
  const { replicated } = deliveries;

  const sealingFailures = metrics.counter(
    "webhooks_sealing_failures_total",
    "Times that a signing secret or own headers could not be opened with the sealing keys.",
  );
  const sealingKeys = sealingKeysOf(settings);
  const sealing = createSealing(sealingKeys, () => sealingFailures.inc());
  if (!settings.WEBHOOKS_SEALING_KEY_LOST)
    await retryWhileUnavailable(logger, () => checkSealingKeys(db, sealingKeys));
  const deleting = startDeletingExpiredRecords(pool, logger);
  starting.defer(() => deleting.stop());
  // Before a queue is bound, so that the first canary finds its subscription.
  const canary = await startCanary({
    ...{ db, metrics, logger },
    everyMs: settings.CANARY_EVERY_MS,
    sealing,
  });
  starting.defer(() => canary.stop());
  watchUnaccounted({ db, metrics, logger });
  watchDeliveries(leasing.pool, metrics);
  const publisher = startPublisher({ ...broker, name: "webhooks.publisher" });
  starting.defer(() => publisher.stop());
  const sweep = startSweep({ pool, publisher, graceMs: settings.WEBHOOKS_SWEEP_GRACE_MS, logger, metrics });
  starting.defer(() => sweep.stop());

  const sender = startSend({
    timeoutMs,
    concurrency: settings.WEBHOOKS_CONCURRENCY,
    sealing,
    guard,
    canaryAgent: canary.agent,
  });
  starting.defer(() => sender.stop());
  const stopping = new AbortController();
  const processes = await retryWhileUnavailable(logger, () => startCountingProcesses(pool, logger));
  starting.defer(() => processes.stop());
  const hostPerSecondMax = settings.WEBHOOKS_HOST_PER_SECOND_MAX || Number.POSITIVE_INFINITY;
  const scheduler = createScheduler({
    slots: settings.WEBHOOKS_CONCURRENCY,
    hostPerSecondMax: () => Math.max(1, Math.floor(hostPerSecondMax / processes.count)),
  });
  const settle = createSettle({
    ...{ pool: deliveries.pool, publisher, scheduler, schedule, lockMs, logger },
    start: (claimed) => dispatch.start(claimed),
    onFree: () => admissionLoop.run(),
    countAttempt: countAttempts(metrics),
    stopping: stopping.signal,
  });
  const claims = startRenewingClaims({ pool, lockMs, logger });
  starting.defer(() => claims.stop());
  const dispatch = startDispatch({
    ...{ scheduler, send: sender.send, settle, claims, logger, tracer },
    attemptMs: lockTime(timeoutMs),
  });
  const { start } = dispatch;
  const admissionLoop = startAdmissionLoop({ pool: deliveries.pool, scheduler, lockMs, start, logger });

  const recoveries = startRecoveries({ db, onWaiting: admissionLoop.wake, logger });
  starting.defer(() => recoveries.stop());
  const reconciliations = startReconciliations({
    db,
    onWaiting: ({ subscriptionId }) => {
      admissionLoop.wake();
      leases.wake([subscriptionId]);
    },
    logger,
  });
  starting.defer(() => reconciliations.stop());
  const leases = startLeases({
    ...{ pool: leasing.pool, db, reconciliations, metrics, logger },
    sealing,
    leaseMs: settings.WEBHOOKS_LEASE_MS,
  });
  starting.defer(() => leases.stop());
  const reportResult = createReportResult({
    ...{ pool: leasing.pool, publisher, schedule, logger },
    onRecorded: (listenerId) => leases.wake([listenerId]),
  });
  const expiring = startExpiringListeners({
    ...{ db, reconciliations, logger },
    lookEveryMs: lookForExpiredEveryMs,
  });
  starting.defer(() => expiring.stop());
  const retention = startRetention({ pool, days: settings.WEBHOOKS_LOG_DAYS, logger });
  starting.defer(() => retention.stop());

  const jobs = startConsumer({
    ...{ ...broker, replicated },
    name: "webhooks.dispatch",
    queue: DELIVERIES_QUEUE,
    prefetch: JOBS_UNACKED_MAX,
    handle: jobHandler({
      requeue: createRequeue(deliveries.pool, admissionLoop),
      redrive: (filter) => redriveDeadLetters(db, filter),
      logger,
    }),
  });
  const fanOut = startConsumer({
    ...{ ...broker, replicated },
    name: "webhooks.fan-out",
    queue: EVENTS_QUEUE,
    poisonQueue: POISON_QUEUE,
    prefetch: EVENTS_UNACKED_MAX,
    handle: fanOutHandler({
      ...{ pool: deliveries.pool, scheduler, lockMs, start, logger, tracer },
      onWaiting: admissionLoop.run,
      onLeasable: leases.wake,
    }),
  });

  const missing = startMissingEvents({
    ...{ pool, metrics, logger },
    graceMs: settings.WEBHOOKS_SWEEP_GRACE_MS,
  });
  starting.defer(() => missing.stop());
  const tallies = startConsumer({
    ...{ ...broker, replicated },
    name: "webhooks.tally",
    queue: TALLIES_QUEUE,
    prefetch: 1,
    handle: tallyHandler({ pool: deliveries.pool, onMissing: missing.wake, logger }),
  });
  starting.defer(() => tallies.stop());

  const audit = startRelay({
    service: "webhooks",
    databaseUrl,
    databaseRole: DATABASE_ROLE,
    prepare: settings.POSTGRES_PREPARE,
    amqpUrl,
    exchange: AUDIT_EXCHANGE,
    // An entry waits in the outbox until the gateway has bound its queue.
    mustRoute: () => true,
    logger,
    metrics,
    tracer,
  });
  starting.defer(() => audit.stop());

  const http = serveHttp({
    listener,
    idleGraceMs: settings.DRAIN_IDLE_MS,
    routes: routes({
      tenants,
      writers: { of: (tenantId) => tenantOf(db, tenantId) },
      sealing,
      guard,
      onCommit: audit.wake,
      onWaiting: admissionLoop.wake,
      onLeasable: leases.wake,
      ...{ recoveries, reconciliations, leases, reportResult },
    }),
    identify: identifyBySignature(settings.GATEWAY_SECRET, refusedSignatures(metrics, logger)),
    readiness: {
      database: async () =>
        void (await Promise.all([postgres.ping(), deliveries.ping(), leasing.ping(), tenants.ping()])),
    },
    replicated: postgres.replicated,
    // The API is served; deliveries wait.
    degradedWithout: {
      broker: async () => {
        if (!publisher.isUp() || !jobs.isUp() || !fanOut.isUp())
          throw new Error("not connected to the broker");
      },
    },
    deepReadiness: canary.readiness,
    isUnavailable: isDatabaseUnavailable,
    onStop: leases.endWaits,
    metricsOn: "this port",
    namesRoutes: true,
    metrics,
    tracer,
    logger,
  });
  const stopDelivering = async () => {
    await http.closePort();
    await Promise.all([fanOut.stop(), jobs.stop()]);
    stopping.abort();
    await admissionLoop.stop();
    await dispatch.stop();
  };
  // Together, so that an attempt has its whole time whatever requests are in progress.
  starting.defer(async () => void (await Promise.all([http.stop(), stopDelivering()])));
  const running = starting.move();
  return { url: http.url, stop: () => running.disposeAsync() };
}
