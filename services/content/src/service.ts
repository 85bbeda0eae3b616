// The content service: the source of the events that tenants subscribe to.
//
// Cast. `redirect` (pure) says what a redirect may be; `redirect-store` changes redirects and writes the event in the
// same transaction. The relay publishes what the outbox holds.
//
// Guarantees. A change and its event commit together or not at all. A tenant's redirects never form a loop.
import { isSubscribable } from "@tradepost/event-catalog";
import { identifyBySignature, serveHttp } from "@tradepost/http";
import { startRelay } from "@tradepost/messaging";
import { connectTenants, isDatabaseUnavailable, migrate } from "@tradepost/postgres";
import { createMetrics, type Logger } from "@tradepost/runtime";
import type { Settings } from "./config.ts";
import { routes } from "./http/routes.ts";
import type { Tables } from "./tables.ts";

const DATABASE_CONNECTIONS_MAX = 16;
/** Made by the migrations; see there what each may do. */
const TENANTS_ROLE = "tradepost_content";
const WORKER_ROLE = "tradepost_content_worker";

/** Starts the service; `stop` takes it down in reverse order. */
export async function startContent(settings: Settings, logger: Logger) {
  const running = new AsyncDisposableStack();
  const metrics = createMetrics("content");
  const url = settings.CONTENT_DATABASE_URL;
  await migrate({ url, folder: new URL("../migrations/", import.meta.url), logger });

  const tenants = connectTenants<Tables>({
    url,
    role: TENANTS_ROLE,
    name: "content",
    connectionsMax: DATABASE_CONNECTIONS_MAX,
    logger,
  });
  running.defer(() => tenants.stop());
  const relay = startRelay({
    service: "content",
    databaseUrl: url,
    databaseRole: WORKER_ROLE,
    amqpUrl: settings.AMQP_URL,
    mustRoute: isSubscribable,
    logger,
    metrics,
  });
  running.defer(() => relay.stop());
  const http = await serveHttp({
    host: settings.HOST,
    port: settings.PORT,
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
