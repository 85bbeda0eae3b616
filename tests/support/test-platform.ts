// The four services in the test's own process, with databases and a vhost of the test file, and tenants with clients.
import { randomBytes } from "node:crypto";
import {
  environmentOf,
  forEachService,
  migrateDatabases,
  SERVICES,
  type ServiceName,
  withGateway,
} from "@tradepost/devstack";
import { createTenant, type ModuleName } from "@tradepost/gateway/operate";
import type { StartOptions } from "@tradepost/gateway/service";
import { retryWhileUnavailable } from "@tradepost/postgres";
import { createLogger, type Logger } from "@tradepost/runtime";
import {
  apiClient,
  bearer,
  CHEAP_COST,
  cheapHash,
  createEmptyServiceDatabase,
  createServiceDatabase,
  createTestBroker,
  openTestPool,
  startReceiver,
  until,
} from "@tradepost/testing";
import { dataOf } from "./data-of.ts";
import { createServiceFiles, forServices, startService } from "./services.ts";

export type TestTenant = Awaited<ReturnType<typeof createTestTenant>>;

const ALL_SCOPES = ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"];
const SETTINGS = {
  CANARY_EVERY_MS: "0",
  RATE_LIMIT_PER_SECOND: "0",
  TENANT_RATE_LIMIT_PER_SECOND: "0",
  TENANT_CONCURRENCY_MAX: "0",
  // All receivers of a test are on one host.
  WEBHOOKS_HOST_PER_SECOND_MAX: "0",
};

export type TestPlatform = Awaited<ReturnType<typeof startTestPlatform>>;

/** The servers and files that a platform uses. After it has stopped, a second platform can use the same. */
export type PlatformBase = Readonly<Awaited<ReturnType<typeof createPlatformBase>>>;

/**
 * Starts the services with `settings`. Limits on requests are off unless `settings` turn them on. All services share `logger`.
 * The platform does not remove a base that it was given.
 */
export async function startTestPlatform(
  settings: Record<string, string> = {},
  logger: Logger = createLogger("test", "silent"),
  given?: PlatformBase,
  gatewayOptions: StartOptions = {},
) {
  const running = new AsyncDisposableStack();
  const base = given ?? (await createPlatformBase());
  if (given === undefined) running.defer(() => removePlatformBase(base));
  const { databases, broker, files } = base;
  const pools = forEachService((service) => openTestPool(databases[service].url, 2));
  for (const pool of Object.values(pools)) running.defer(() => pool.end());

  const ports = await files.claimPorts(SERVICES);
  const urls = forEachService((service) => `http://127.0.0.1:${ports[service]}`);
  /** Starts a service where the other services expect it, unless `own` has another port. */
  const start = async (service: ServiceName, own: Record<string, string> = {}, log = logger) => {
    const environment = environmentOf(service, ports[service], {
      ...{ ...files, serviceUrls: urls, amqpUrl: broker.amqpUrl },
      databaseUrl: databases[service].serviceUrl,
    });
    const all = { ...environment, ...SETTINGS, ...settings, ...own };
    const started = await startService(service, all, log, { passwordCost: CHEAP_COST, ...gatewayOptions });
    running.defer(started.stop);
    return started;
  };
  const { stop: stopOrders } = await start("orders");
  await start("content");
  const { stop: stopWebhooks } = await start("webhooks");
  const { stop: stopGateway } = await start("gateway");
  return {
    url: urls.gateway,
    urls,
    databases: forEachService((service) => databases[service].url),
    broker,
    mediaDir: files.mediaDir,
    stopGateway,
    stopOrders,
    /** Starts the orders service again, after it was stopped. */
    startOrders: () => start("orders"),
    stopWebhooks,
    /** Starts another replica of the gateway, with these settings too. */
    startGateway: (own: Record<string, string> = {}) => start("gateway", { PORT: "0", ...own }),
    /** Starts another replica of the webhooks service, with these settings too. The gateway does not know it. */
    startWebhooks: (own: Record<string, string> = {}, log = logger) =>
      start("webhooks", { PORT: "0", ...own }, log),
    createTenant: (modules?: ModuleName[]) => createTestTenant(urls.gateway, databases.gateway.url, modules),
    /** Starts a receiver of webhooks, which stops with the platform. */
    startReceiver: async () => {
      const receiver = await startReceiver();
      running.defer(receiver.stop);
      return receiver;
    },
    /** Pools of the superuser in each database. */
    pools,
    stop: () => running.disposeAsync(),
  };
}

export type SharedPlatform = Pick<
  TestPlatform,
  "url" | "urls" | "databases" | "broker" | "mediaDir" | "createTenant"
>;
const shared = new Map<string, Promise<SharedPlatform>>();

/**
 * Resolves with the platform that the test files of a worker share if they want the same settings. It runs until the worker ends.
 * Files that stop a service, or count what belongs to no tenant, start their own.
 */
export function sharedPlatform(settings: Record<string, string> = {}): Promise<SharedPlatform> {
  const key = JSON.stringify(settings);
  const started = shared.get(key) ?? startTestPlatform(settings);
  shared.set(key, started);
  return started;
}

/**
 * Creates migrated databases, a vhost and files. If `postgresUrl` is given, all databases, or only the one of the service
 * `only`, are on that server. The other databases are on the shared server.
 */
export async function createPlatformBase(postgresUrl?: string, only?: ServiceName) {
  const isElsewhere = (service: ServiceName) =>
    postgresUrl !== undefined && (only === undefined || only === service);
  const create = (service: ServiceName) =>
    isElsewhere(service) ? createEmptyServiceDatabase(service, postgresUrl) : createServiceDatabase(service);
  const [databases, broker] = await Promise.all([forServices(create), createTestBroker()]);
  const elsewhere = SERVICES.filter(isElsewhere);
  await migrateDatabases(
    Object.fromEntries(elsewhere.map((service) => [service, databases[service].ownerUrl])),
  );
  return { databases, broker, files: createServiceFiles() };
}

export async function removePlatformBase({ databases, broker, files }: PlatformBase): Promise<void> {
  files.remove();
  for (const resource of [broker, ...Object.values(databases)]) await resource.drop();
}

/** Creates a tenant as an operator does, and its customer and API key as the owner does. By default it has both modules. */
export async function createTestTenant(
  gatewayUrl: string,
  gatewayDatabaseUrl: string,
  modules: ModuleName[] = ["crm", "content"],
) {
  const slug = `t-${randomBytes(4).toString("hex")}`;
  const given = { slug, name: "Test Shop", ownerEmail: `owner@${slug}.example`, modules };
  // A process that runs many tests at once may be too busy to connect in time.
  const tenant = await retryWhileUnavailable(createLogger("test", "silent"), () =>
    withGateway(gatewayDatabaseUrl, (db) => createTenant(db, given, cheapHash)),
  );
  const { email, password } = tenant.owner;
  // Failed sign-ins and wrong current passwords of a test count for its address, for a minute.
  const login = await until("the limits on sign-ins to admit another", async () => {
    const response = await apiClient(gatewayUrl).post("/v1/auth/login", { email, password });
    return response.status !== 429 && response;
  });
  const ownerToken: string = login.body.data.token;
  const owner = apiClient(gatewayUrl, bearer(ownerToken));
  const key = await owner.post("/v1/api-keys", { label: "Test key", scopes: ALL_SCOPES });
  const apiKey: string = key.body.data.key;
  const customer = modules.includes("crm") ? await owner.post("/v1/customers", { name: "Ada" }) : undefined;
  return {
    tenantId: tenant.tenantId,
    /** A client of the owner, with a dashboard token. */
    owner,
    ownerToken,
    ownerEmail: email,
    ownerPassword: password,
    /** A client with an API key that has all five scopes. */
    key: apiClient(gatewayUrl, bearer(apiKey)),
    apiKey,
    customerId: (customer?.body.data.id ?? "") as string,
    /** Resolves with the new subscription. */
    subscribe: async (url: string, events: readonly string[] = ["redirect.added"], more: object = {}) =>
      dataOf(await owner.post("/v1/webhooks/subscriptions", { name: "Test", url, events, ...more }), 201),
  };
}
