// The four services, with several replicas of each behind a balancer, and rolling restarts: one replica after another stops and
// starts again with the current settings. They run in the test's own process.
import { randomBytes } from "node:crypto";
import {
  createBrokerUsers,
  createServiceRoles,
  environmentOf,
  readPlatformSettings,
  SERVICES,
  type ServiceName,
} from "@tradepost/devstack";
import { createLogger } from "@tradepost/runtime";
import { createServiceDatabase } from "@tradepost/testing";
import { forServices, type ReplicaName, serviceOf, startBalancedServices } from "./balanced-services.ts";
import { startService } from "./start-service.ts";

const REPLICAS = [1, 2];
const SETTINGS = {
  // Within this time, a replica that is stopping responds to what its balancer has sent.
  DRAIN_IDLE_MS: "1000",
  CANARY_EVERY_MS: "0",
  RATE_LIMIT_PER_SECOND: "0",
  TENANT_RATE_LIMIT_PER_SECOND: "0",
  TENANT_CONCURRENCY_MAX: "0",
};

/** Resolves when two replicas of each service are ready. */
export async function startRollingPlatform() {
  // Stops the parts that were started if a later step fails.
  await using ended = new AsyncDisposableStack();
  const base = await startBalancedServices(ended, createServiceDatabase);
  const { dataDir, secrets, databases, ports, serviceUrls } = base;
  const settings = readPlatformSettings({ ...SETTINGS, TRADEPOST_DATA_DIR: dataDir });
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
    const environment = environmentOf(service, ports[name] as number, {
      ...{ settings, serviceUrls, secrets: next.secrets[service], trustedCertificatesFile: "" },
      ...{ amqpUrl: next.amqpUrls[service], databaseUrl: next.databaseUrls[service] },
    });
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

/** Creates an additional login for a service's database. */
export async function createLogin(service: ServiceName, databaseUrl: string) {
  const name = `tradepost_test_${service}_${randomBytes(4).toString("hex")}`;
  const login = { name, password: randomBytes(16).toString("hex") };
  const owner = { name: "tradepost_test_owner" };
  return { name, url: await createServiceRoles(databaseUrl, { service, owner, login }) };
}
