// The orders service: customers, orders and their events.
//
// Cast. `order-routes`, `order-action-routes` and `customer-routes` have a page for each route: who may use it, what the API
// description says, and its handler. `place-order` prices an order (`price-order`, pure) and writes it, its lines, its number, its
// event and its idempotency record in one statement. `import-orders` places up to 100. To change an order's state, `lifecycle`
// (pure) decides, and `apply-action` writes the change in one statement. `update-order` changes its texts; only the change feed
// lists that event. `with-idempotency-key` wraps every POST. The relay publishes the events of the outbox.
// `search` finds rows by their words. `erasure` erases customers, step by step. `statistics` reads figures that `place-order` and triggers
// keep, and `fold-deltas` sums them up.
//
// Guarantees. A change, its event and its idempotency record commit together or not at all. Amounts are exact decimals from the
// JSON text to the database and back. A request sees and changes only rows of its tenant: every statement has the condition, and
// row-level security enforces it. Orders are accepted while the broker is down; their events are published when it is available
// again.

import { startChangeFeed } from "@tradepost/change-feed";
import { feedOnlyTypes } from "@tradepost/event-catalog";
import { behindGateway, openService } from "@tradepost/http";
import { startDeletingExpiredRecords } from "@tradepost/idempotency";
import { auditTallyRoute, checkBroker, countQuotaRefusals, startRelay } from "@tradepost/messaging";
import { connectService, isDatabaseUnavailable } from "@tradepost/postgres";
import { databaseAddress, type Logger, withBrokerCa } from "@tradepost/runtime";
import { DATABASE, type Settings } from "./config.ts";
import { startErasures } from "./erasure/erasure.ts";
import { channels } from "./order/order.ts";
import { routes } from "./routes.ts";
import { ordersUsage, startFoldingDeltas } from "./statistics/statistics.ts";
import type { Tables } from "./tables.ts";

const [WORKER_ROLE, TENANTS_ROLE] = DATABASE.roles;

export async function startOrders(settings: Settings, logger: Logger) {
  await using opening = await openService("orders", settings, logger);
  const { metrics, tracer, started } = opening;
  const { WEBHOOKS_MORE_EVENTS: moreTypes, EVENTS_TALLY_EVERY_MS: tallyEveryMs } = settings;
  const url = databaseAddress(settings.ORDERS_DATABASE_URL, settings);
  const database = { url, prepare: settings.POSTGRES_PREPARE };
  const { migration, tenants, workers } = started(
    await connectService<Tables>({
      ...database,
      folder: DATABASE.folder,
      tenants: { role: TENANTS_ROLE, name: "orders", connectionsMax: 16 },
      workers: { role: WORKER_ROLE, name: "orders.worker", connectionsMax: 1 },
      metrics,
      tracer,
      logger,
    }),
  );
  started(startDeletingExpiredRecords(workers.pool, logger));
  started(startFoldingDeltas(workers.pool, logger));
  const relay = started(
    startRelay({
      service: "orders",
      database: { ...database, role: WORKER_ROLE },
      amqpUrl: withBrokerCa(settings.AMQP_URL, settings.AMQP_CA_FILE),
      mustRoute: (type) => moreTypes.includes(type),
      feedOnlyTypes,
      auditEntries: "beside events",
      // Cursors of the feed expire by the day.
      keepDays: settings.EVENTS_KEEP_DAYS + 1,
      ...(moreTypes.length > 0 && tallyEveryMs > 0 && { tally: { types: moreTypes, everyMs: tallyEveryMs } }),
      logger,
      metrics,
      tracer,
    }),
  );
  const erasures = started(startErasures({ worker: workers.pool, tenants, onCommit: relay.wake, logger }));
  const feed = started(
    startChangeFeed({
      service: "orders",
      database,
      tenantsRole: TENANTS_ROLE,
      watchRole: WORKER_ROLE,
      keepDays: settings.EVENTS_KEEP_DAYS,
      metrics,
      logger,
    }),
  );
  const onRefused = countQuotaRefusals(metrics);
  const placed = metrics.counter("orders_placed_total", "Orders that were placed.", ["channel"]);
  for (const channel of channels) placed.inc({ channel }, 0);
  const http = started(
    opening.serve({
      ...behindGateway(settings.GATEWAY_SECRET, opening),
      onRefused,
      routes: [
        ...routes({
          tenants,
          feed,
          onCommit: relay.wake,
          firstEvents: relay,
          onErasure: () => {
            relay.wake();
            erasures.wake();
          },
          countPlaced: (channel) => placed.inc({ channel }),
          onRefused,
        }),
        ...ordersUsage(tenants, workers.pool),
        auditTallyRoute(workers.pool),
      ],
      readiness: { database: tenants.ping },
      replicated: tenants.replicated,
      // Events wait in the outbox.
      degradedWithout: { broker: () => checkBroker(metrics, relay.isUp()) },
      isUnavailable: isDatabaseUnavailable,
      onStop: feed.endWaits,
    }),
  );
  return { url: http.url, migration, ...opening.run() };
}
