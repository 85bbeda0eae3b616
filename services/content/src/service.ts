// The content service: the source of the events that tenants subscribe to.
//
// Cast. `content-type` says which fields entries have. `write-entry` makes drafts and their revisions, `publish-entry` takes
// them live and down, `publish-due` those whose time has come. `redirect-store` keeps redirects, `lead-on` those from where
// a live entry was. Each change writes its event in the same transaction, its payload taken there. The relay publishes
// what the outbox holds.
//
// Guarantees. A change and its event commit together or not at all; what changes nothing has no event. What is scheduled
// goes live once, by the database's clock, as it was when it was scheduled. A tenant's redirects never form a loop. A
// tenant's request sees and touches that tenant's rows alone: every statement says so, and row-level security holds it
// to it.
import { isSubscribable } from "@tradepost/event-catalog";
import { identifyBySignature, serveHttp } from "@tradepost/http";
import { startRelay } from "@tradepost/messaging";
import { connectPostgres, connectTenants, isDatabaseUnavailable, migrate } from "@tradepost/postgres";
import { createMetrics, type Logger } from "@tradepost/runtime";
import type { Settings } from "./config.ts";
import { startPublishingDue } from "./entry/publish-due.ts";
import { routes } from "./http/routes.ts";
import type { Tables } from "./tables.ts";

const DATABASE_CONNECTIONS_MAX = 16;
const WORKER_CONNECTIONS_MAX = 2;
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
  const worker = connectPostgres({
    url,
    role: WORKER_ROLE,
    name: "content.worker",
    connectionsMax: WORKER_CONNECTIONS_MAX,
    logger,
  });
  running.defer(() => worker.stop());
  const publishingDue = startPublishingDue({ pool: worker.pool, tenants, onCommit: relay.wake, logger });
  running.defer(() => publishingDue.stop());
  const http = await serveHttp({
    host: settings.HOST,
    port: settings.PORT,
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
