// The gateway: the only public entry to the platform.
//
// Cast. `entry` turns the credential of a request into a principal, applies the limits, and sends the request to the service that
// owns its path, with the principal signed into headers. `identity` has tenants, users, sessions and API keys. `audit-log` writes
// entries, consumes the other services' entries, and notices lost entries. `request-log` records the tenants' requests; `usage`
// counts what they use and has their quotas. `assistants` serves /mcp. `pages` serves the dashboard and the API reference.
// `limits` counts for all rate limits.
//
// Guarantees. A client's header reaches a service only if it is on the list in `exchange`. The service's database role can insert
// into the audit log and read it, but not change it. The service that owns an endpoint enforces module, role and scope. The
// gateway is ready and serves requests while the broker is away; events and audit entries wait.
import { openService } from "@tradepost/http";
import { checkBroker, countQuotaRefusals, startRelay } from "@tradepost/messaging";
import {
  ALWAYS_BY_INDEX,
  connectPostgres,
  isDatabaseUnavailable,
  waitForMigrations,
} from "@tradepost/postgres";
import { databaseAddress, type Logger, type Metrics, withBrokerCa } from "@tradepost/runtime";
import { mcpRoute } from "./assistants/assistants.ts";
import {
  auditChain,
  type MissingEntriesTimes,
  startAuditConsumer,
  startMissingEntries,
} from "./audit-log/audit-log.ts";
import { clientReader } from "./client.ts";
import { DATABASE, type Settings } from "./config.ts";
import { startAsking, startEntry, WAIT_MS_MAX } from "./entry/entry.ts";
import { startIdentity } from "./identity/identity.ts";
import { type BucketStore, openLimits } from "./limits/limits.ts";
import { readPages } from "./pages/pages.ts";
import { deepReadiness, serveMetrics } from "./probes.ts";
import { startRequestLog } from "./request-log/request-log.ts";
import { isOpenToOrigins, routes } from "./routes.ts";
import type { Tables } from "./tables.ts";
import { startUsage, type UsageTimes } from "./usage/usage.ts";

const CONNECTIONS_MAX = 20;
const [DATABASE_ROLE] = DATABASE.roles;

// Requests that wait for an event or a lease end within this time.
const REQUESTS_END_MS = WAIT_MS_MAX + 2_000;
/** Starts after the idle grace. */
export const STOP_MS = REQUESTS_END_MS + 3_000;

/** Tests do not wait for minutes or hash at full cost, and use up limits at once. */
export interface StartOptions {
  readonly usage?: UsageTimes;
  readonly missingEntries?: MissingEntriesTimes;
  readonly passwordCost?: Parameters<typeof startIdentity>[0]["passwordCost"];
  readonly buckets?: BucketStore;
}

/** `stop` stops the parts in reverse order. */
export async function startGateway(settings: Settings, logger: Logger, options: StartOptions = {}) {
  await using opening = await openService("gateway", settings, logger);
  const { metrics, tracer, started } = opening;
  const { pages, apiDescription, documents } = await readPages(settings);
  const amqpUrl = withBrokerCa(settings.AMQP_URL, settings.AMQP_CA_FILE);
  const { url, migration, db, pool, ping, replicated } = started(
    await connectDatabase(settings, metrics, logger),
  );
  const audit = started(startAuditConsumer({ db, replicated, amqpUrl, logger, metrics }));
  started(auditChain.startLoggingHeads(db, logger));
  const relay = started(
    startRelay({
      service: "gateway",
      database: { url, role: DATABASE_ROLE, prepare: settings.POSTGRES_PREPARE },
      amqpUrl,
      // No service subscribes to the gateway's events; other teams may.
      mustRoute: () => false,
      logger,
      metrics,
      tracer,
    }),
  );
  const requestLog = started(startRequestLog({ pool, metrics, logger }));
  const { RATE_LIMIT_REDIS_URL } = settings;
  const limits = started(await openLimits(RATE_LIMIT_REDIS_URL, metrics, logger, options.buckets));
  const readClient = clientReader({ proxyHops: settings.PROXY_HOPS, logger, metrics });
  const quotasOfSettings = {
    mediaBytes: settings.TENANT_MEDIA_BYTES_MAX,
    eventBytes: settings.TENANT_EVENT_BYTES_MAX,
  };
  const identity = started(
    startIdentity({ db, pool, settings, quotasOfSettings, limits, readClient, metrics, logger, ...options }),
  );
  const { credentials, findMediaTenant, findConfirmedEmails } = identity;
  const asking = startAsking(settings, metrics);
  const { ask, signatures, checkSignature } = asking;
  const entry = started(
    startEntry({
      ...{ settings, credentials, findMediaTenant, findConfirmedEmails, readClient, limits, signatures },
    }),
  );
  const { countReady } = audit;
  started(startMissingEntries({ pool, ask, countReady, metrics, logger, ...options.missingEntries }));
  const usage = started(startUsage({ db, ask, quotasOfSettings, logger, ...options.usage }));
  // Stops before the two parts that ask, so that a service that hangs delays no stop.
  started(asking);
  const metricsUrl = started(await serveMetrics(metrics, settings)).url;
  const http = started(
    opening.serve({
      requestsEndMs: REQUESTS_END_MS,
      // Without a grace period there is no load balancer to wait for, and waiting requests would only delay the stop.
      ...(settings.DRAIN_IDLE_MS === 0 && { onStop: entry.endWaits }),
      routes: [
        ...routes({ ...identity.context, apiDescription, usage }),
        ...identity.signInLinkRoutes,
        mcpRoute({
          requests: entry.requests,
          checkCaller: entry.checkCaller,
          countLimited: limits.countLimited,
          ...{ db, settings, logger },
        }),
      ],
      pages,
      isOpenToOrigins,
      identify: entry.identify,
      fallback: async (context) => (await entry.forward(context)) ?? (await documents(context)),
      onRefused: countQuotaRefusals(metrics),
      onRequest: (request) => {
        requestLog.add(request);
        usage.note(request);
      },
      readiness: { database: ping, signature: signatures.check },
      replicated,
      degradedWithout: { broker: () => checkBroker(metrics, audit.isUp() && relay.isUp()) },
      deepReadiness: deepReadiness(settings, checkSignature),
      isUnavailable: isDatabaseUnavailable,
      metricsOn: "another port",
      compresses: true,
    }),
  );
  return { url: http.url, metricsUrl, migration, ...opening.run() };
}

async function connectDatabase(settings: Settings, metrics: Metrics, logger: Logger) {
  const url = databaseAddress(settings.GATEWAY_DATABASE_URL, settings);
  const migration = await waitForMigrations({ url, ...DATABASE, logger });
  const postgres = connectPostgres<Tables>({
    url,
    name: "gateway",
    connectionsMax: CONNECTIONS_MAX,
    prepare: settings.POSTGRES_PREPARE,
    role: DATABASE_ROLE,
    settings: ALWAYS_BY_INDEX,
    metrics,
    logger,
  });
  return { url, migration, ...postgres };
}
