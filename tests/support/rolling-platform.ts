// The four services, with several replicas of each behind a balancer, and rolling restarts: one replica after another stops and
// starts again with the current settings. They run in the test's own process.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  createBrokerUsers,
  execute,
  type PlatformSecrets,
  SERVICES,
  type ServiceName,
} from "@tradepost/devstack";
import { createLogger } from "@tradepost/runtime";
import { createServiceDatabase } from "@tradepost/testing";
import { forServices, type ReplicaName, serviceOf, startBalancedServices } from "./balanced-services.ts";
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

/** Resolves when two replicas of each service are ready. */
export async function startRollingPlatform() {
  // Stops the parts that were started if a later step fails.
  await using ended = new AsyncDisposableStack();
  const base = await startBalancedServices(ended, createServiceDatabase, { failedProbesMax: 3 });
  const { dataDir, secrets, databases, ports, serviceUrls } = base;
  /** The settings of the replicas that start next. A test changes them between rolling restarts. */
  const next = {
    /** Each service has its own copy, because the two ends of a secret change one after the other. */
    secrets: await forServices(async () => secrets),
    databaseUrls: await forServices(async (service) => databases[service].serviceUrl),
    amqpUrls: await createBrokerUsers(base.broker, secrets.brokerPasswords),
  };
  const running = new Map<ReplicaName, { stop(): Promise<void> }>();
  ended.defer(async () => void (await Promise.all([...running.values()].map((one) => one.stop()))));

  const start = async (name: ReplicaName): Promise<void> => {
    const service = serviceOf(name);
    const environment = {
      ...SETTINGS,
      PORT: String(ports[name]),
      AMQP_URL: next.amqpUrls[service],
      [`${service.toUpperCase()}_DATABASE_URL`]: next.databaseUrls[service],
      ORDERS_URL: serviceUrls.orders,
      CONTENT_URL: serviceUrls.content,
      WEBHOOKS_URL: serviceUrls.webhooks,
      CONTENT_MEDIA_DIR: path.join(dataDir, "media"),
      ...secretsOf(service, next.secrets[service]),
    };
    running.set(name, await startService[service](environment, createLogger("test", "silent")));
    await base.untilIn(name);
  };
  /** Stops a replica as SIGTERM does. */
  const stop = async (name: ReplicaName): Promise<void> => {
    await running.get(name)?.stop();
    running.delete(name);
  };
  /** Restarts the replicas of the services one after another; different services restart concurrently. */
  const roll = async (services: readonly ServiceName[]): Promise<void> => {
    for (const replica of REPLICAS) {
      const names = services.map((service): ReplicaName => `${service}-${replica}`);
      await Promise.all(names.map((name) => stop(name).then(() => start(name))));
    }
  };
  for (const replica of REPLICAS) {
    const started = await Promise.allSettled(SERVICES.map((service) => start(`${service}-${replica}`)));
    for (const result of started) if (result.status === "rejected") throw result.reason;
  }

  const kept = ended.move();
  return { ...base, next, roll, start, stop, stopAll: () => kept.disposeAsync() };
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
