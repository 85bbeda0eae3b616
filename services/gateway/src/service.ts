// The gateway: the one public way in. It establishes who calls, answers for identity itself, and forwards the rest.
//
// Cast. `authenticate` turns an Authorization header into a principal, from the database on every request, so that a
// revoked key or a demoted user is out with the next one; look-ups under load share queries. `request-limit` and
// `tenant-concurrency` then bound what one caller and one tenant may ask for. `forward` sends what is not the gateway's
// own to the service that owns the path, with the principal signed into headers. The audit log is written with every
// deed here, and `consume-audit` adds what the other services report. `last-used` notes when keys were used.
// `watch-proxies` warns about a proxy that PROXY_HOPS does not know of, and `forget-sessions` deletes sessions that are
// long over. `readiness-of-whole` asks those behind the gateway how they are.
//
// Guarantees. No header of a client's reaches a service unless it is on the list in `forward`. The service's database
// role can add to the audit log and read it, and nothing else. Module, role and scope are enforced by the service that
// owns the endpoint, not here.
import { type Identify, serveHttp, startListening } from "@tradepost/http";
import { connectPostgres, isDatabaseUnavailable, untilMigrated } from "@tradepost/postgres";
import { createMetrics, type Logger } from "@tradepost/runtime";
import { startKeyIdentities } from "./api-key/key-identity.ts";
import { startLastUsed } from "./api-key/last-used.ts";
import { startAfterwards } from "./audit-log/afterwards.ts";
import { startAuditConsumer } from "./audit-log/consume-audit.ts";
import { watchProxies } from "./client/watch-proxies.ts";
import type { Settings } from "./config.ts";
import { startForward } from "./forward/forward.ts";
import { routes } from "./http/routes.ts";
import { serveMetrics } from "./http/serve-metrics.ts";
import { authenticate } from "./identity/authenticate.ts";
import { countLimited } from "./rate-limit/count-limited.ts";
import { openLimiterStore } from "./rate-limit/limiter-store.ts";
import { ONE_REQUEST, requestLimit } from "./rate-limit/request-limit.ts";
import { signInLimit } from "./rate-limit/sign-in-limit.ts";
import { tenantConcurrency } from "./rate-limit/tenant-concurrency.ts";
import { readinessOfWhole } from "./readiness/readiness-of-whole.ts";
import { cookies } from "./session/cookies.ts";
import { startForgettingSessions } from "./session/forget-sessions.ts";
import { refreshSecrets } from "./session/refresh-secret.ts";
import { startSessionIdentities } from "./session/session-identity.ts";
import type { Tables } from "./tables.ts";

const DATABASE_CONNECTIONS_MAX = 20;
/** Made by the migrations; see there what it may do. */
const DATABASE_ROLE = "tradepost_gateway";

/** Starts the gateway; `stop` takes it down in reverse order. */
export async function startGateway(settings: Settings, logger: Logger) {
  const listener = await startListening({ host: settings.HOST, port: settings.PORT });
  const running = new AsyncDisposableStack();
  const metrics = createMetrics("gateway");
  await untilMigrated({
    url: settings.GATEWAY_DATABASE_URL,
    role: DATABASE_ROLE,
    folder: new URL("../migrations/", import.meta.url),
    logger,
  });
  const { db, pool, ping, stop } = connectPostgres<Tables>({
    url: settings.GATEWAY_DATABASE_URL,
    name: "gateway",
    connectionsMax: DATABASE_CONNECTIONS_MAX,
    role: DATABASE_ROLE,
    // Or the look-up behind every request would be planned anew for every number of keys.
    settings: { plan_cache_mode: "force_generic_plan" },
    logger,
  });
  running.defer(stop);

  const audit = startAuditConsumer({ db, amqpUrl: settings.AMQP_URL, logger });
  running.defer(() => audit.stop());
  const lastUsed = startLastUsed(db, logger);
  running.defer(() => lastUsed.stop());
  const afterwards = startAfterwards(logger);
  running.defer(() => afterwards.stop());
  const forgetting = startForgettingSessions(db, logger);
  running.defer(() => forgetting.stop());
  const limits = openLimiterStore(settings.RATE_LIMIT_REDIS_URL, logger);
  running.defer(() => limits.stop());
  const limited = countLimited(metrics);
  const charge = requestLimit(limits, settings.RATE_LIMIT_PER_SECOND, limited);
  const takeTurn = tenantConcurrency(settings.TENANT_CONCURRENCY_MAX, limited);
  const forward = startForward({ settings, charge, countLimited: limited });
  running.defer(() => forward.stop());
  const noteProxy = watchProxies({ proxyHops: settings.PROXY_HOPS, logger, metrics });
  const authenticated = authenticate({
    findKey: startKeyIdentities(pool),
    findSession: startSessionIdentities(pool),
    signingKeys: settings.TOKEN_SIGNING_KEYS,
    lastUsed,
    admit: async (principal, context) => {
      await charge(principal, context, ONE_REQUEST);
      await takeTurn(principal.tenantId, context);
    },
  });
  const identify: Identify = (context) => {
    noteProxy(context.req);
    return authenticated(context);
  };
  let metricsUrl: string | undefined;
  if (settings.METRICS_PORT !== undefined) {
    const metricsServer = await serveMetrics(metrics, settings.HOST, settings.METRICS_PORT);
    running.defer(() => metricsServer.stop());
    metricsUrl = metricsServer.url;
  }
  const http = serveHttp({
    listener,
    idleGraceMs: settings.DRAIN_IDLE_MS,
    routes: routes({
      db,
      signingKeys: settings.TOKEN_SIGNING_KEYS,
      cookies: cookies({ isSecure: settings.COOKIE_SECURE, signingKeys: settings.TOKEN_SIGNING_KEYS }),
      refreshSecrets: refreshSecrets(settings.TOKEN_SIGNING_KEYS),
      afterwards,
      noteProxy,
      signInLimit: signInLimit(limits),
      proxyHops: settings.PROXY_HOPS,
    }),
    identify,
    otherwise: (context) => forward.answer(context, identify),
    readiness: {
      database: ping,
      broker: async () => {
        if (!audit.isUp()) throw new Error("not connected to the broker");
      },
    },
    whole: readinessOfWhole(settings),
    isUnavailable: isDatabaseUnavailable,
    metricsOn: "another port",
    metrics,
    logger,
  });
  running.defer(() => http.stop());
  return { url: http.url, metricsUrl, stop: () => running.disposeAsync() };
}
