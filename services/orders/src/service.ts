// The orders service: customers, orders and their events.
//
// Cast. `order-routes`, `order-action-routes` and `customer-routes` have a page for each route: who may use it, what the API
// description says, and its handler. `place-order` prices an order (`price-order`, pure) and writes it, its lines, its number, its
// event and its idempotency record in one statement. `import-orders` places up to 100. To change an order's state, `lifecycle`
// (pure) decides, and `apply-action` writes the change in one statement. `update-order` changes its texts; only the change feed
// lists that event. `with-idempotency-key` wraps every POST. The relay publishes the events of the outbox.
// `delete-expired-records` deletes idempotency records after 24 hours. `search` finds rows by their words, and `index-words` gives rows
// words that have none. `erasure` erases customers, step by step. `statistics` reads figures that triggers keep (migration 0017), and `fold-deltas` sums them up.
//
// Guarantees. A change, its event and its idempotency record commit together or not at all. Amounts are exact decimals from the
// JSON text to the database and back. A request sees and changes only rows of its tenant: every statement has the condition, and
// row-level security enforces it. Orders are accepted while the broker is down; their events are published when it is available
// again.

import { startChangeFeed } from "@tradepost/change-feed";
import { feedOnlyTypes, isSubscribable } from "@tradepost/event-catalog";
import { identifyBySignature, refusedSignatures, serveHttp, startListening } from "@tradepost/http";
import { startDeletingExpiredRecords } from "@tradepost/idempotency";
import { startRelay } from "@tradepost/messaging";
import {
  BY_INDEX,
  connectPostgres,
  connectTenants,
  isDatabaseUnavailable,
  waitForMigrations,
} from "@tradepost/postgres";
import { createMetrics, databaseAddress, type Logger, startTracer, withBrokerCa } from "@tradepost/runtime";
import type { Settings } from "./config.ts";
import { startErasures } from "./erasure/erasure.ts";
import { channels } from "./order/order.ts";
import { routes } from "./routes.ts";
import { startIndexingWords } from "./search/search.ts";
import { startFoldingDeltas } from "./statistics/statistics.ts";
import type { Tables } from "./tables.ts";
import { ordersUsage } from "./usage.ts";

const DATABASE_CONNECTIONS_MAX = 16;
// The migrations create these roles and grant their rights.
const TENANTS_ROLE = "tradepost_orders";
const WORKER_ROLE = "tradepost_orders_worker";

/** Starts the service. `stop` stops its parts in reverse order. */
export async function startOrders(settings: Settings, logger: Logger) {
  const listener = await startListening({ host: settings.HOST, port: settings.PORT });
  // Stops the parts that were started if a later step fails.
  await using starting = new AsyncDisposableStack();
  starting.defer(() => listener.close());
  const metrics = createMetrics("orders");
  const tracer = startTracer({
    service: "orders",
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    ...{ metrics, logger },
  });
  starting.defer(() => tracer.stop());
  const url = databaseAddress(settings.ORDERS_DATABASE_URL, settings);
  const folder = new URL("../migrations/", import.meta.url);
  await waitForMigrations({ url, roles: [WORKER_ROLE, TENANTS_ROLE], folder, logger });

  const tenants = connectTenants<Tables>({
    url,
    role: TENANTS_ROLE,
    name: "orders",
    connectionsMax: DATABASE_CONNECTIONS_MAX,
    prepare: settings.POSTGRES_PREPARE,
    settings: BY_INDEX,
    metrics,
    tracer,
    logger,
  });
  starting.defer(() => tenants.stop());
  const worker = connectPostgres({
    url,
    role: WORKER_ROLE,
    name: "orders.worker",
    connectionsMax: 1,
    prepare: settings.POSTGRES_PREPARE,
    settings: BY_INDEX,
    metrics,
    logger,
  });
  starting.defer(() => worker.stop());
  const deleting = startDeletingExpiredRecords(worker.pool, logger);
  starting.defer(() => deleting.stop());
  const indexing = startIndexingWords(worker.pool, tenants, logger);
  starting.defer(() => indexing.stop());
  const folding = startFoldingDeltas(worker.pool, logger);
  starting.defer(() => folding.stop());
  const relay = startRelay({
    service: "orders",
    databaseUrl: url,
    databaseRole: WORKER_ROLE,
    prepare: settings.POSTGRES_PREPARE,
    amqpUrl: withBrokerCa(settings.AMQP_URL, settings.AMQP_CA_FILE),
    mustRoute: isSubscribable,
    feedOnlyTypes,
    hasAuditEntries: true,
    // A day longer, because a cursor of the feed expires by the day.
    keepDays: settings.EVENTS_KEEP_DAYS + 1,
    logger,
    metrics,
    tracer,
  });
  starting.defer(() => relay.stop());
  const erasures = startErasures({ worker: worker.pool, tenants, onCommit: relay.wake, logger });
  starting.defer(() => erasures.stop());
  const feed = startChangeFeed({
    service: "orders",
    databaseUrl: url,
    tenantsRole: TENANTS_ROLE,
    watchRole: WORKER_ROLE,
    prepare: settings.POSTGRES_PREPARE,
    keepDays: settings.EVENTS_KEEP_DAYS,
    metrics,
    logger,
  });
  starting.defer(() => feed.stop());
  const placed = metrics.counter("orders_placed_total", "Orders that were placed.", ["channel"]);
  for (const channel of channels) placed.inc({ channel }, 0);
  const http = serveHttp({
    listener,
    idleGraceMs: settings.DRAIN_IDLE_MS,
    routes: [
      ...routes({
        tenants,
        feed,
        onCommit: relay.wake,
        onErasure: () => {
          relay.wake();
          erasures.wake();
        },
        countPlaced: (channel) => placed.inc({ channel }),
      }),
      ordersUsage(tenants),
    ],
    identify: identifyBySignature(settings.GATEWAY_SECRET, refusedSignatures(metrics, logger)),
    readiness: { database: tenants.ping },
    replicated: tenants.replicated,
    // Without the broker, orders are accepted and their events wait in the outbox.
    degradedWithout: { broker: relay.ping },
    isUnavailable: isDatabaseUnavailable,
    onStop: feed.endWaits,
    metricsOn: "this port",
    namesRoutes: true,
    metrics,
    tracer,
    logger,
  });
  starting.defer(() => http.stop());
  const running = starting.move();
  return { url: http.url, stop: () => running.disposeAsync() };
}
