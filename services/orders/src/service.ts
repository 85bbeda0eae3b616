// The orders service: customers and orders, and the events that tell of them.
//
// Cast. `place-order` takes a valid body to a committed order; `order` (pure) computes it, `insert-order` writes order,
// lines, number, outbox row and idempotency record in one statement. `change-order` takes an order one step along its
// life: `lifecycle` (pure) decides, one guarded statement writes. `once` answers for the Idempotency-Keys. The relay
// publishes what the outbox holds; `clear-records` deletes answers that are kept no longer.
//
// Guarantees. A change, its event and the record of its answer commit together or not at all. Amounts are exact
// decimals from the JSON text to the database and back. A tenant's request sees and touches that tenant's rows alone:
// every statement says so, and row-level security holds it to it. Orders are taken while the broker is down; their
// events follow when it is back.
import { isSubscribable } from "@tradepost/event-catalog";
import { identifyBySignature, serveHttp, startListening } from "@tradepost/http";
import { startRelay } from "@tradepost/messaging";
import { connectPostgres, connectTenants, isDatabaseUnavailable, untilMigrated } from "@tradepost/postgres";
import { createMetrics, type Logger } from "@tradepost/runtime";
import type { Settings } from "./config.ts";
import { routes } from "./http/routes.ts";
import { startClearing } from "./idempotency/clear-records.ts";
import type { Tables } from "./tables.ts";

const DATABASE_CONNECTIONS_MAX = 16;
/** Made by the migrations; see there what each may do. */
const TENANTS_ROLE = "tradepost_orders";
const WORKER_ROLE = "tradepost_orders_worker";

/** Starts the service; `stop` takes it down in reverse order. */
export async function startOrders(settings: Settings, logger: Logger) {
  const listener = await startListening({ host: settings.HOST, port: settings.PORT });
  const running = new AsyncDisposableStack();
  const metrics = createMetrics("orders");
  const url = settings.ORDERS_DATABASE_URL;
  const folder = new URL("../migrations/", import.meta.url);
  await untilMigrated({ url, role: WORKER_ROLE, folder, logger });

  const tenants = connectTenants<Tables>({
    url,
    role: TENANTS_ROLE,
    name: "orders",
    connectionsMax: DATABASE_CONNECTIONS_MAX,
    logger,
  });
  running.defer(() => tenants.stop());
  const worker = connectPostgres({
    url,
    role: WORKER_ROLE,
    name: "orders.worker",
    connectionsMax: 1,
    logger,
  });
  running.defer(() => worker.stop());
  const clearing = startClearing(worker.pool, logger);
  running.defer(() => clearing.stop());
  const relay = startRelay({
    service: "orders",
    databaseUrl: url,
    databaseRole: WORKER_ROLE,
    amqpUrl: settings.AMQP_URL,
    mustRoute: isSubscribable,
    logger,
    metrics,
  });
  running.defer(() => relay.stop());
  const http = serveHttp({
    listener,
    idleGraceMs: settings.DRAIN_IDLE_MS,
    routes: routes({ tenants, onCommit: relay.wake }),
    identify: identifyBySignature(settings.GATEWAY_SECRET),
    readiness: { database: tenants.ping, broker: relay.ping },
    isUnavailable: isDatabaseUnavailable,
    metricsOn: "this port",
    metrics,
    logger,
  });
  running.defer(() => http.stop());
  return { url: http.url, stop: () => running.disposeAsync() };
}
