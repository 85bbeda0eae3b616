// The gateway: the one public way in. It establishes who calls, answers for identity itself, and forwards the rest.
//
// Cast. `authenticate` turns an Authorization header into a principal, from the database on every request, so that a
// revoked key or a demoted user is out with the next one. `forward` sends what is not the gateway's own to the
// service that owns the path, with the principal signed into headers. `last-used` notes when keys were used.
//
// Guarantees. No header of a client's reaches a service unless it is on the list in `forward`. Module, role and scope
// are enforced by the service that owns the endpoint, not here.
import { serveHttp } from "@tradepost/http";
import { connectPostgres, isDatabaseUnavailable, migrate } from "@tradepost/postgres";
import { createMetrics, type Logger } from "@tradepost/runtime";
import { startLastUsed } from "./api-key/last-used.ts";
import type { Settings } from "./config.ts";
import { startForward } from "./forward/forward.ts";
import { routes } from "./http/routes.ts";
import { serveMetrics } from "./http/serve-metrics.ts";
import { authenticate } from "./identity/authenticate.ts";
import type { Tables } from "./tables.ts";

const DATABASE_CONNECTIONS_MAX = 20;

/** Starts the gateway; `stop` takes it down in reverse order. */
export async function startGateway(settings: Settings, logger: Logger) {
  const running = new AsyncDisposableStack();
  const metrics = createMetrics("gateway");
  const postgres = connectPostgres<Tables>({
    url: settings.GATEWAY_DATABASE_URL,
    name: "gateway",
    connectionsMax: DATABASE_CONNECTIONS_MAX,
    logger,
  });
  running.defer(() => postgres.stop());
  await migrate(postgres, new URL("../migrations/", import.meta.url), logger);

  const lastUsed = startLastUsed(postgres.db, logger);
  running.defer(() => lastUsed.stop());
  const forward = startForward(settings);
  running.defer(() => forward.stop());
  const identify = authenticate({ pool: postgres.pool, signingKeys: settings.TOKEN_SIGNING_KEYS, lastUsed });
  if (settings.METRICS_PORT !== undefined) {
    const metricsServer = await serveMetrics(metrics, settings.HOST, settings.METRICS_PORT);
    running.defer(() => metricsServer.stop());
  }
  const http = await serveHttp({
    host: settings.HOST,
    port: settings.PORT,
    routes: routes({ db: postgres.db, signingKeys: settings.TOKEN_SIGNING_KEYS }),
    identify,
    otherwise: (call) => forward.answer(call, identify),
    readiness: { database: postgres.ping },
    isUnavailable: isDatabaseUnavailable,
    metricsOn: "another port",
    metrics,
    logger,
  });
  running.defer(() => http.stop());
  return { url: http.url, stop: () => running.disposeAsync() };
}
