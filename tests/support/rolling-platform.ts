// The four services, with several replicas of each behind a balancer, and rolling restarts: one replica after another stops and
// starts again with the current settings. They run in the test's own process.
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  claimPorts,
  createBrokerUsers,
  execute,
  type PlatformSecrets,
  readPlatformSecrets,
  SERVICES,
  type ServiceName,
} from "@tradepost/devstack";
import { createLogger } from "@tradepost/runtime";
import { createServiceDatabase, createTestBroker, until } from "@tradepost/testing";
import { type Balancer, startBalancer } from "./balancer.ts";
import { startService } from "./start-service.ts";

const REPLICAS = [1, 2];
const SETTINGS = {
  // Within this time, the balancer notices that a replica is stopping.
  DRAIN_IDLE_MS: "1000",
  CANARY_EVERY_MS: "0",
  RATE_LIMIT_PER_SECOND: "0",
  TENANT_RATE_LIMIT_PER_SECOND: "0",
  TENANT_CONCURRENCY_MAX: "0",
  WEBHOOKS_EGRESS_ALLOW: "127.0.0.0/8,::1/128",
};

type ForServices<Value> = Record<ServiceName, Value>;
interface Replica {
  stop(): Promise<void>;
}

/** Resolves when two replicas of each service are ready. */
export async function startRollingPlatform() {
  // Stops the parts that were started if a later step fails.
  await using ended = new AsyncDisposableStack();
  const dataDir = mkdtempSync(path.join(tmpdir(), "tradepost-rolling-"));
  ended.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  for (const folder of ["run", "media"]) mkdirSync(path.join(dataDir, folder));
  const secrets = readPlatformSecrets(dataDir);
  const broker = await createTestBroker();
  ended.defer(broker.drop);
  const amqpUrls = await createBrokerUsers(broker, secrets.brokerPasswords);
  const databases = await forServices(async (service) => await createServiceDatabase(service));
  ended.defer(async () => void (await forServices((service) => databases[service].drop())));

  const nameOf = (service: ServiceName, replica: number) => `${service}-${replica}`;
  const names = SERVICES.flatMap((service) => REPLICAS.map((replica) => nameOf(service, replica)));
  const ports = await claimPorts(path.join(dataDir, "run/ports.json"), names);
  const urlOf = (service: ServiceName, replica: number) =>
    `http://127.0.0.1:${ports[nameOf(service, replica)] as number}`;
  const balancers: ForServices<Balancer> = await forServices(
    async (service) =>
      await startBalancer(
        REPLICAS.map((replica) => urlOf(service, replica)),
        { failedProbesMax: 3 },
      ),
  );
  ended.defer(async () => void (await forServices((service) => balancers[service].stop())));

  /** The settings of the replicas that start next. A test changes them between rolling restarts. */
  const next = {
    /** Each service has its own copy, because the two ends of a secret change one after the other. */
    secrets: await forServices(async () => secrets),
    databaseUrls: await forServices(async (service) => databases[service].serviceUrl),
    amqpUrls,
  };
  const running = new Map<string, Replica>();
  ended.defer(async () => void (await Promise.all([...running.values()].map((one) => one.stop()))));

  const environmentOf = (service: ServiceName, replica: number) => ({
    ...SETTINGS,
    PORT: String(ports[nameOf(service, replica)]),
    AMQP_URL: next.amqpUrls[service],
    [`${service.toUpperCase()}_DATABASE_URL`]: next.databaseUrls[service],
    ORDERS_URL: balancers.orders.url,
    CONTENT_URL: balancers.content.url,
    WEBHOOKS_URL: balancers.webhooks.url,
    CONTENT_MEDIA_DIR: path.join(dataDir, "media"),
    ...secretsOf(service, next.secrets[service]),
  });
  const start = async (service: ServiceName, replica: number): Promise<void> => {
    const name = nameOf(service, replica);
    running.set(
      name,
      await startService[service](environmentOf(service, replica), createLogger("test", "silent")),
    );
    await until(`the balancer to use ${name}`, () => balancers[service].isIn(urlOf(service, replica)));
  };
  /** Stops a replica as SIGTERM does. */
  const stop = async (service: ServiceName, replica: number): Promise<void> => {
    const name = nameOf(service, replica);
    await running.get(name)?.stop();
    running.delete(name);
  };
  /** Restarts the replicas of the services one after another; different services restart concurrently. */
  const roll = async (services: readonly ServiceName[]): Promise<void> => {
    for (const replica of REPLICAS) {
      await Promise.all(
        services.map(async (service) => {
          await stop(service, replica);
          await start(service, replica);
        }),
      );
    }
  };
  for (const replica of REPLICAS) {
    const started = await Promise.allSettled(SERVICES.map((service) => start(service, replica)));
    for (const result of started) if (result.status === "rejected") throw result.reason;
  }

  const kept = ended.move();
  return {
    /** The address of the gateways' balancer. */
    url: balancers.gateway.url,
    databases,
    broker,
    next,
    urlOf,
    roll,
    start,
    stop,
    stopAll: () => kept.disposeAsync(),
  };
}

/** Returns the secrets of a service as its settings. */
function secretsOf(service: ServiceName, secrets: PlatformSecrets): Record<string, string> {
  const { gatewaySecrets } = secrets;
  switch (service) {
    case "gateway":
      return {
        ORDERS_GATEWAY_SECRET: gatewaySecrets.orders,
        CONTENT_GATEWAY_SECRET: gatewaySecrets.content,
        WEBHOOKS_GATEWAY_SECRET: gatewaySecrets.webhooks,
        TOKEN_SIGNING_KEYS: secrets.tokenSigningKeys,
      };
    case "orders":
      return { GATEWAY_SECRET: gatewaySecrets.orders };
    case "content":
      return { GATEWAY_SECRET: gatewaySecrets.content, CONTENT_MEDIA_LINK_SECRETS: secrets.mediaLinkSecrets };
    case "webhooks":
      return {
        GATEWAY_SECRET: gatewaySecrets.webhooks,
        WEBHOOKS_SEALING_KEY: secrets.webhooksSealingKey,
        WEBHOOKS_SEALING_KEYS: secrets.webhooksSealingKeys ?? "",
      };
  }
}

/** Runs `work` for all services concurrently. */
export async function forServices<Value>(
  work: (service: ServiceName) => Promise<Value>,
): Promise<ForServices<Value>> {
  const entries = await Promise.all(SERVICES.map(async (service) => [service, await work(service)] as const));
  return Object.fromEntries(entries) as ForServices<Value>;
}

/** Creates an additional login for a service's database, as deploy/postgres/create-roles.sh does. */
export async function createLogin(service: ServiceName, databaseUrl: string) {
  const name = `tradepost_test_${service}_${randomBytes(4).toString("hex")}`;
  const password = randomBytes(16).toString("hex");
  const settings = {
    service,
    owner: "tradepost_test_owner",
    owner_password: "",
    login: name,
    login_password: password,
  };
  const file = new URL("../../deploy/postgres/create-roles.sql", import.meta.url);
  const set = Object.entries(settings).map(([key, value]) => `set tradepost.${key} = '${value}';`);
  await execute(databaseUrl, set.join("\n") + readFileSync(file, "utf8"));
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = password;
  return { name, url: url.href };
}
