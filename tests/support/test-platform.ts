// The four services in the test's own process, with databases and a vhost of the test file, and tenants with clients.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { migrateDatabases, SERVICES, type ServiceName } from "@tradepost/devstack";
import { createTenant, type ModuleName, type Tables } from "@tradepost/gateway/operate";
import type { StartOptions } from "@tradepost/gateway/service";
import { connectPostgres, retryWhileUnavailable } from "@tradepost/postgres";
import { createLogger, type Logger } from "@tradepost/runtime";
import {
  apiClient,
  bearer,
  CHEAP_COST,
  cheapHash,
  createEmptyServiceDatabase,
  createServiceDatabase,
  createTestBroker,
  freePort,
  openTestPool,
  startReceiver,
  type TestBroker,
  type TestServiceDatabase,
  until,
} from "@tradepost/testing";
import { dataOf } from "./data-of.ts";
import { startService } from "./start-service.ts";

export type TestTenant = Awaited<ReturnType<typeof createTestTenant>>;

const ALL_SCOPES = ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"];

export type TestPlatform = Awaited<ReturnType<typeof startTestPlatform>>;

/** The servers and folders that a platform uses. After it has stopped, a second platform can use the same. */
export interface PlatformBase {
  readonly databases: Readonly<Record<ServiceName, TestServiceDatabase>>;
  readonly broker: TestBroker;
  readonly mediaDir: string;
}

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
  const { broker, mediaDir } = base;
  const { gateway: gatewayDb, orders: ordersDb, content: contentDb, webhooks: webhooksDb } = base.databases;
  const pools = {
    gateway: openTestPool(gatewayDb.url, 2),
    orders: openTestPool(ordersDb.url, 2),
    content: openTestPool(contentDb.url, 2),
    webhooks: openTestPool(webhooksDb.url, 2),
  };
  for (const pool of Object.values(pools)) running.defer(() => pool.end());

  const gatewayStart = { passwordCost: CHEAP_COST, ...gatewayOptions };
  const secrets = { orders: secret(), content: secret(), webhooks: secret() };
  const environment = (own: Record<string, string>) => ({
    PORT: "0",
    DRAIN_IDLE_MS: "0",
    AMQP_URL: broker.amqpUrl,
    ...own,
    ...settings,
  });
  const ordersEnvironment = environment({
    PORT: String(await freePort()),
    ORDERS_DATABASE_URL: ordersDb.serviceUrl,
    GATEWAY_SECRET: secrets.orders,
  });
  const orders = await startService.orders(ordersEnvironment, logger);
  running.defer(orders.stop);
  const contentEnvironment = environment({
    CONTENT_DATABASE_URL: contentDb.serviceUrl,
    GATEWAY_SECRET: secrets.content,
    CONTENT_MEDIA_LINK_SECRETS: randomBytes(32).toString("hex"),
    CONTENT_MEDIA_DIR: mediaDir,
  });
  const content = await startService.content(contentEnvironment, logger);
  running.defer(content.stop);
  const webhooksEnvironment = environment({
    WEBHOOKS_DATABASE_URL: webhooksDb.serviceUrl,
    GATEWAY_SECRET: secrets.webhooks,
    WEBHOOKS_SEALING_KEY: randomBytes(32).toString("base64"),
    WEBHOOKS_EGRESS_ALLOW: "127.0.0.0/8,::1/128",
    // All receivers of a test are on one host.
    WEBHOOKS_HOST_PER_SECOND_MAX: "0",
  });
  const webhooks = await startService.webhooks(webhooksEnvironment, logger);
  running.defer(webhooks.stop);
  const gatewayEnvironment = environment({
    GATEWAY_DATABASE_URL: gatewayDb.serviceUrl,
    ORDERS_URL: orders.url,
    CONTENT_URL: content.url,
    WEBHOOKS_URL: webhooks.url,
    ORDERS_GATEWAY_SECRET: secrets.orders,
    CONTENT_GATEWAY_SECRET: secrets.content,
    WEBHOOKS_GATEWAY_SECRET: secrets.webhooks,
    TOKEN_SIGNING_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    RATE_LIMIT_PER_SECOND: "0",
    TENANT_RATE_LIMIT_PER_SECOND: "0",
    TENANT_CONCURRENCY_MAX: "0",
  });
  const gateway = await startService.gateway(gatewayEnvironment, logger, gatewayStart);
  running.defer(gateway.stop);
  return {
    url: gateway.url,
    urls: { gateway: gateway.url, orders: orders.url, content: content.url, webhooks: webhooks.url },
    databases: {
      ...{ gateway: gatewayDb.url, orders: ordersDb.url },
      ...{ content: contentDb.url, webhooks: webhooksDb.url },
    },
    broker,
    mediaDir,
    stopGateway: gateway.stop,
    stopOrders: orders.stop,
    /** Starts the orders service again where the gateway expects it, after it was stopped. */
    startOrders: async () => {
      const again = await startService.orders(ordersEnvironment, logger);
      running.defer(again.stop);
    },
    stopWebhooks: webhooks.stop,
    /** Starts another replica of the gateway, with these settings too. */
    startGateway: async (own: Record<string, string> = {}) => {
      const replica = await startService.gateway({ ...gatewayEnvironment, ...own }, logger, gatewayStart);
      running.defer(replica.stop);
      return replica;
    },
    /** Starts another replica of the webhooks service, with these settings too. The gateway does not know it. */
    startWebhooks: async (own: Record<string, string> = {}, log = logger) => {
      const replica = await startService.webhooks({ ...webhooksEnvironment, ...own }, log);
      running.defer(replica.stop);
      return replica;
    },
    createTenant: (modules?: ModuleName[]) => createTestTenant(gateway.url, gatewayDb.url, modules),
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
 * Creates migrated databases, a vhost and a directory. If `postgresUrl` is given, all databases, or only the one of the service
 * `only`, are on that server. The others are on the shared server.
 */
export async function createPlatformBase(postgresUrl?: string, only?: ServiceName): Promise<PlatformBase> {
  const isElsewhere = (service: ServiceName) =>
    postgresUrl !== undefined && (only === undefined || only === service);
  const create = (service: ServiceName) =>
    isElsewhere(service) ? createEmptyServiceDatabase(service, postgresUrl) : createServiceDatabase(service);
  const [gateway, orders, content, webhooks, broker, mediaDir] = await Promise.all([
    create("gateway"),
    create("orders"),
    create("content"),
    create("webhooks"),
    createTestBroker(),
    mkdtemp(path.join(os.tmpdir(), "tradepost-media-")),
  ]);
  const databases = { gateway, orders, content, webhooks };
  const elsewhere = SERVICES.filter(isElsewhere);
  await migrateDatabases(
    Object.fromEntries(elsewhere.map((service) => [service, databases[service].ownerUrl])),
  );
  return { databases, broker, mediaDir };
}

export async function removePlatformBase({ databases, broker, mediaDir }: PlatformBase): Promise<void> {
  await rm(mediaDir, { recursive: true, force: true });
  for (const resource of [broker, ...Object.values(databases)]) await resource.drop();
}

function secret(): string {
  return randomBytes(32).toString("hex");
}

/** Creates a tenant as an operator does, and its customer and API key as the owner does. By default it has both modules. */
export async function createTestTenant(
  gatewayUrl: string,
  gatewayDatabaseUrl: string,
  modules: ModuleName[] = ["crm", "content"],
) {
  const slug = `t-${randomBytes(4).toString("hex")}`;
  const logger = createLogger("test", "silent");
  const postgres = connectPostgres<Tables>({
    url: gatewayDatabaseUrl,
    name: "test",
    connectionsMax: 1,
    logger,
  });
  const given = { slug, name: "Test Shop", ownerEmail: `owner@${slug}.example`, modules };
  // A process that runs many tests at once may be too busy to connect in time.
  const tenant = await retryWhileUnavailable(logger, () =>
    createTenant(postgres.db, given, cheapHash),
  ).finally(() => postgres.stop());
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
