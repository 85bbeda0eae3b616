// The orders service: customers and orders, and the events that tell of them.
//
// Cast. `place-order` takes a valid body to a committed order; `order` (pure) computes it, `order-store` writes order,
// lines, number and outbox row in one statement. The relay publishes what the outbox holds.
//
// Guarantees. An order and its `order.placed` commit together or not at all. Amounts are exact decimals from the JSON
// text to the database and back. Orders are taken while the broker is down; their events follow when it is back.
import { isSubscribable } from "@tradepost/event-catalog";
import { identifyBySignature, serveHttp } from "@tradepost/http";
import { startRelay } from "@tradepost/messaging";
import { connectPostgres, isDatabaseUnavailable, migrate } from "@tradepost/postgres";
import { createMetrics, type Logger } from "@tradepost/runtime";
import type { Settings } from "./config.ts";
import { routes } from "./http/routes.ts";
import type { Tables } from "./tables.ts";

const DATABASE_CONNECTIONS_MAX = 16;

/** Starts the service; `stop` takes it down in reverse order. */
export async function startOrders(settings: Settings, logger: Logger) {
  const running = new AsyncDisposableStack();
  const metrics = createMetrics("orders");
  const postgres = connectPostgres<Tables>({
    url: settings.ORDERS_DATABASE_URL,
    name: "orders",
    connectionsMax: DATABASE_CONNECTIONS_MAX,
    logger,
  });
  running.defer(() => postgres.stop());
  await migrate(postgres, new URL("../migrations/", import.meta.url), logger);

  const relay = startRelay({
    service: "orders",
    databaseUrl: settings.ORDERS_DATABASE_URL,
    amqpUrl: settings.AMQP_URL,
    mustRoute: isSubscribable,
    logger,
    metrics,
  });
  running.defer(() => relay.stop());
  const http = await serveHttp({
    host: settings.HOST,
    port: settings.PORT,
    routes: routes({ pool: postgres.pool, db: postgres.db, onCommit: relay.wake }),
    identify: identifyBySignature(settings.GATEWAY_SECRET),
    readiness: { database: postgres.ping, broker: relay.ping },
    isUnavailable: isDatabaseUnavailable,
    metricsOn: "this port",
    metrics,
    logger,
  });
  running.defer(() => http.stop());
  return { url: http.url, stop: () => running.disposeAsync() };
}
