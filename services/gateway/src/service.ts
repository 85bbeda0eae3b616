// The gateway: the only public entry to the platform. It authenticates each request, handles identity itself, and forwards
// everything else.
//
// Cast. `authenticate` turns an Authorization header into a principal. It reads the database on every request, so a revoked
// key or a demoted user is refused from the next request on; concurrent lookups share a query (`batch-lookup`).
// `request-limit` and `tenant-concurrency` then limit what one caller and one tenant may use. `forward` sends requests for
// other paths to the service that owns the path, with the principal signed into headers; `media-link` admits the requests
// for signed links, which have no credential. `mcpRoute` serves assistants, whose tools use the same forwarder. Each change here writes its entry to the audit log, and `consume-audit` adds
// the entries of the other services. The relay publishes `tenant.created`, which the operator's command writes to the
// outbox. `last-used` records when keys were used.
// `watch-proxies` warns about a proxy that PROXY_HOPS does not count. `delete-old-sessions` deletes sessions that ended or
// expired days ago, and `startDeletingExpiredRecords` idempotency records after 24 hours. `deep-readiness` checks the services behind the gateway.
// `reference` is the description of the API, the page that shows it, and the packed client; `dashboard` serves the files of
// the dashboard.
//
// Guarantees. A client's header reaches a service only if it is on the list in `forward`. The service's database role can
// insert into the audit log and read it, but not change it. Module, role and scope are enforced by the service that owns the
// endpoint, not here. The gateway is ready and serves requests while the broker is away; events and audit entries wait.
import type { IncomingMessage } from "node:http";
import { type Identify, type RequestContext, serveHttp, startListening } from "@tradepost/http";
import { startDeletingExpiredRecords } from "@tradepost/idempotency";
import { startRelay } from "@tradepost/messaging";
import {
  BY_INDEX,
  connectPostgres,
  isDatabaseUnavailable,
  tenantOf,
  waitForMigrations,
} from "@tradepost/postgres";
import { createMetrics, databaseAddress, type Logger, startTracer, withBrokerCa } from "@tradepost/runtime";
import type { Pool } from "pg";
import { keyLookup } from "./api-key/key-lookup.ts";
import { type LastUsed, startLastUsed } from "./api-key/last-used.ts";
import { startBackgroundTasks } from "./audit-log/background-tasks.ts";
import { startAuditConsumer } from "./audit-log/consume-audit.ts";
import { watchProxies } from "./client/watch-proxies.ts";
import type { Settings } from "./config.ts";
import { readDashboard } from "./dashboard/dashboard-pages.ts";
import { startForwarder, WAIT_MS_MAX } from "./forward/forward.ts";
import { admitMediaLink } from "./forward/media-link.ts";
import { isUpload } from "./forward/request-body.ts";
import { linkShares } from "./forward/shares.ts";
import { upstreamOf, waitsApart } from "./forward/upstreams.ts";
import { routes } from "./http/routes.ts";
import { serveMetrics } from "./http/serve-metrics.ts";
import { type Authentication, authenticate, checkAgain } from "./identity/authenticate.ts";
import { type CountAuthFailure, countAuthFailures } from "./identity/count-auth-failures.ts";
import { CONFIRMATION_BYTES } from "./mcp/confirmation.ts";
import { mcpRoute } from "./mcp/handle-mcp.ts";
import { type Limits, startLimits } from "./rate-limit/limits.ts";
import { costAfterwards, ONE_REQUEST } from "./rate-limit/request-limit.ts";
import { deepReadiness } from "./readiness/deep-readiness.ts";
import { isOpenToOrigins } from "./reference/open-to-origins.ts";
import { readApiDescription, readClientPackage } from "./reference/published-files.ts";
import { readReferencePage } from "./reference/reference-page.ts";
import { cookies } from "./session/cookies.ts";
import { startSessionCleanup } from "./session/delete-old-sessions.ts";
import { refreshSecrets } from "./session/refresh-secret.ts";
import { sessionLookup } from "./session/session-lookup.ts";
import { fingerprintSigners, signerFor } from "./session/signer.ts";
import type { Tables } from "./tables.ts";
import { findTenant } from "./tenant/tenant-store.ts";
import { passwords } from "./user/password.ts";

const DATABASE_CONNECTIONS_MAX = 20;
// Requests that wait for an event or a lease come to their end.
const REQUESTS_END_MS = WAIT_MS_MAX + 2_000;
/** How long the stop may take after the idle grace. */
export const STOP_MS = REQUESTS_END_MS + 3_000;
/** The migrations create it and grant its rights. */
const DATABASE_ROLE = "tradepost_gateway";

/** Starts the gateway; `stop` stops its parts in reverse order. */
export async function startGateway(settings: Settings, logger: Logger) {
  const listener = await startListening({ host: settings.HOST, port: settings.PORT });
  // Ends what was started if a later step fails.
  await using starting = new AsyncDisposableStack();
  starting.defer(() => listener.close());
  const metrics = createMetrics("gateway");
  const tracer = startTracer({
    service: "gateway",
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    ...{ metrics, logger },
  });
  starting.defer(() => tracer.stop());
  const [apiDescription, referencePage, dashboard, clientPackage] = await Promise.all([
    readApiDescription(settings.PROXY_HOPS),
    readReferencePage(),
    readDashboard(settings.DASHBOARD_DIR),
    readClientPackage(settings.CLIENT_PACKAGE_FILE),
  ]);
  const url = databaseAddress(settings.GATEWAY_DATABASE_URL, settings);
  const amqpUrl = withBrokerCa(settings.AMQP_URL, settings.AMQP_CA_FILE);
  await waitForMigrations({
    url,
    roles: [DATABASE_ROLE],
    folder: new URL("../migrations/", import.meta.url),
    logger,
  });
  const { db, pool, ping, replicated, stop } = connectPostgres<Tables>({
    url,
    name: "gateway",
    connectionsMax: DATABASE_CONNECTIONS_MAX,
    prepare: settings.POSTGRES_PREPARE,
    role: DATABASE_ROLE,
    // Otherwise Postgres plans the lookup behind every request again for each number of keys.
    settings: { ...BY_INDEX, plan_cache_mode: "force_generic_plan" },
    metrics,
    logger,
  });
  starting.defer(stop);

  const audit = startAuditConsumer({ db, replicated, amqpUrl, logger, metrics });
  starting.defer(() => audit.stop());
  const relay = startRelay({
    service: "gateway",
    databaseUrl: url,
    databaseRole: DATABASE_ROLE,
    prepare: settings.POSTGRES_PREPARE,
    amqpUrl,
    // No service subscribes to the gateway's events; other teams may.
    mustRoute: () => false,
    logger,
    metrics,
    tracer,
  });
  starting.defer(() => relay.stop());
  const lastUsed = startLastUsed(db, logger);
  starting.defer(() => lastUsed.stop());
  const backgroundTasks = startBackgroundTasks(logger);
  starting.defer(() => backgroundTasks.stop());
  const sessionCleanup = startSessionCleanup(db, logger);
  starting.defer(() => sessionCleanup.stop());
  const recordCleanup = startDeletingExpiredRecords(pool, logger);
  starting.defer(() => recordCleanup.stop());
  const limits = await startLimits(settings, metrics, logger);
  starting.defer(() => limits.stop());
  const checkProxyHeader = watchProxies({ proxyHops: settings.PROXY_HOPS, logger, metrics });
  const { charge, countLimited } = limits;
  const forwarder = startForwarder({
    settings,
    charge,
    admitMediaLink: admitMediaLink({
      pool,
      proxyHops: settings.PROXY_HOPS,
      checkProxyHeader,
      charge,
      takeShare: linkShares(countLimited),
    }),
    countLimited,
  });
  starting.defer(() => forwarder.stop());
  const countAuthFailure = countAuthFailures(metrics);
  const { identify, checkCaller } = identifyWith({
    ...{ pool, settings, lastUsed, limits, checkProxyHeader, countAuthFailure },
  });
  let metricsUrl: string | undefined;
  if (settings.METRICS_PORT !== undefined) {
    const metricsServer = await serveMetrics(metrics, settings.HOST, settings.METRICS_PORT);
    starting.defer(() => metricsServer.stop());
    metricsUrl = metricsServer.url;
  }
  const http = serveHttp({
    listener,
    idleGraceMs: settings.DRAIN_IDLE_MS,
    requestsEndMs: REQUESTS_END_MS,
    // Without a grace nothing balances the load: who waits would only delay the stop.
    ...(settings.DRAIN_IDLE_MS === 0 && { onStop: forwarder.endWaits }),
    routes: [
      ...routes({
        db,
        signingKeys: settings.TOKEN_SIGNING_KEYS,
        cookies: cookies({ isSecure: settings.COOKIE_SECURE, signingKeys: settings.TOKEN_SIGNING_KEYS }),
        refreshSecrets: refreshSecrets(settings.TOKEN_SIGNING_KEYS),
        fingerprintSigners: fingerprintSigners(settings.TOKEN_SIGNING_KEYS),
        apiDescription,
        backgroundTasks,
        checkProxyHeader,
        passwords: passwords(countLimited),
        signInLimit: limits.signIn,
        staffRefusals: limits.staffRefusals,
        countAuthFailure,
        proxyHops: settings.PROXY_HOPS,
      }),
      mcpRoute({
        requests: forwarder,
        confirmationSigner: signerFor("mcp confirmation", settings.TOKEN_SIGNING_KEYS, CONFIRMATION_BYTES),
        findTenant: (tenantId) => findTenant(tenantOf(db, tenantId)),
        allowedOrigins: settings.MCP_ALLOWED_ORIGINS,
        logger,
      }),
    ],
    pages: [...referencePage, ...dashboard, ...clientPackage],
    isOpenToOrigins,
    identify,
    fallback: (context) => forwarder.forward(context, identify, checkCaller),
    readiness: { database: ping },
    replicated,
    degradedWithout: {
      broker: async () => {
        if (!audit.isUp()) throw new Error("not connected to the broker");
        await relay.ping();
      },
    },
    deepReadiness: deepReadiness(settings),
    isUnavailable: isDatabaseUnavailable,
    metricsOn: "another port",
    compresses: true,
    metrics,
    tracer,
    logger,
  });
  starting.defer(() => http.stop());
  const running = starting.move();
  return { url: http.url, metricsUrl, stop: () => running.disposeAsync() };
}

function identifyWith(parts: {
  pool: Pool;
  settings: Settings;
  lastUsed: LastUsed;
  limits: Limits;
  checkProxyHeader: (req: IncomingMessage) => void;
  countAuthFailure: CountAuthFailure;
}): { identify: Identify; checkCaller: (context: RequestContext) => Promise<void> } {
  const { pool, settings, lastUsed, limits, checkProxyHeader, countAuthFailure } = parts;
  const authentication: Authentication = {
    proxyHops: settings.PROXY_HOPS,
    findKey: keyLookup(pool),
    findSession: sessionLookup(pool),
    signingKeys: settings.TOKEN_SIGNING_KEYS,
    lastUsed,
    countAuthFailure,
    admit: async (principal, context) => {
      const { req } = context;
      const bytesReadBefore = req.socket.bytesRead;
      await limits.charge(principal, context, ONE_REQUEST);
      context.atEnd((responseBytes) => {
        const unchargedBytes = isChargedByForwarder(req) ? 0 : req.socket.bytesRead - bytesReadBefore;
        const more = costAfterwards(responseBytes, unchargedBytes);
        if (more.cost > 0) void limits.charge(principal, { responseHeaders: {} }, more);
      });
      // A reader that waits for an event is not a request in progress: its tenant's other requests go on.
      if (!waitsApart(context.req)) await limits.enterTenant(principal.tenantId, context);
    },
  };
  const authenticated = authenticate(authentication);
  return {
    identify: (context) => {
      checkProxyHeader(context.req);
      return authenticated(context);
    },
    checkCaller: checkAgain(authentication),
  };
}

/** The forwarder knows the bytes of a body before it sends it, except for an upload without a length. */
function isChargedByForwarder(req: IncomingMessage): boolean {
  return upstreamOf(req) !== null && !(isUpload(req) && req.headers["content-length"] === undefined);
}
