// The four services as processes, several replicas of each behind a balancer, with rolling restarts: one replica after the other
// stops by SIGTERM and starts again with the settings of that moment.
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  claimPorts,
  createBrokerUsers,
  migrateDatabases,
  type RunningProcess,
  readPlatformSecrets,
  readPlatformSettings,
  respondsOk,
  SERVICES,
  type ServiceName,
  serviceProgram,
} from "@tradepost/devstack";
import { createServiceDatabase, createTestBroker, until } from "@tradepost/testing";
import pg from "pg";
import { type Balancer, startBalancer } from "./balancer.ts";

const REPLICAS = [1, 2];
const SETTINGS = {
  PORT: "0",
  LOG_LEVEL: "warn",
  // The balancer notices in this time that a replica stops.
  DRAIN_IDLE_MS: "1500",
  CANARY_EVERY_MS: "0",
  RATE_LIMIT_PER_SECOND: "0",
  TENANT_CONCURRENCY_MAX: "0",
};

export type RollingPlatform = Awaited<ReturnType<typeof startRollingPlatform>>;
const LOG_CHARACTERS = 2_000;

type ForServices<Value> = Record<ServiceName, Value>;

/** Resolves when two replicas of each service are ready. */
export async function startRollingPlatform() {
  const ended = new AsyncDisposableStack();
  const dataDir = mkdtempSync(path.join(tmpdir(), "tradepost-rolling-"));
  ended.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  for (const folder of ["run", "logs"]) mkdirSync(path.join(dataDir, folder));
  const secrets = readPlatformSecrets(dataDir);
  const broker = await createTestBroker();
  ended.defer(broker.drop);
  const amqpUrls = await createBrokerUsers(broker, secrets.brokerPasswords);
  const databases = await forServices(async (service) => await createServiceDatabase(service));
  ended.defer(async () => void (await forServices((service) => databases[service].drop())));
  await migrateDatabases(await forServices(async (service) => databases[service].ownerUrl));

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

  /** What the next replica that starts gets. A test changes it between rolling restarts. */
  const next = {
    settings: readPlatformSettings({ ...process.env, ...SETTINGS, TRADEPOST_DATA_DIR: dataDir }),
    /** Of each service by itself, because the two ends of a secret change one after the other. */
    secrets: await forServices(async () => secrets),
    databaseUrls: await forServices(async (service) => databases[service].serviceUrl),
    amqpUrls,
  };
  const serviceUrls = await forServices(async (service) => balancers[service].url);
  const running = new Map<string, RunningProcess>();
  ended.defer(async () => {
    for (const one of running.values()) one.kill();
    await Promise.all([...running.values()].map((one) => one.ended));
  });
  const logOf = (name: string) => readFileSync(path.join(dataDir, `logs/${name}.log`), "utf8");

  const start = async (service: ServiceName, replica: number): Promise<void> => {
    const name = nameOf(service, replica);
    const program = serviceProgram(service, name, ports[name] as number, {
      ...{ settings: next.settings, secrets: next.secrets[service], serviceUrls },
      databaseUrl: next.databaseUrls[service],
      amqpUrl: next.amqpUrls[service],
      trustedCertificatesFile: process.env.NODE_EXTRA_CA_CERTS ?? "",
    });
    const started = await program.start();
    running.set(name, started);
    const failed = started.ended.then((reason) => {
      throw new Error(`${name} did not start (${reason}):\n${logOf(name).slice(-LOG_CHARACTERS)}`);
    });
    const ready = until(`${name} to be ready`, () => respondsOk(program.url, "/readyz"));
    // It ends at some time; only while it starts is that a failure.
    failed.catch(() => undefined);
    await Promise.race([ready, failed]);
    await until(`the balancer to use ${name}`, () => balancers[service].isIn(program.url));
  };
  /** Stops by SIGTERM. */
  const stop = async (service: ServiceName, replica: number): Promise<void> => {
    const one = running.get(nameOf(service, replica));
    await one?.stop();
    const reason = await one?.ended;
    if (reason !== "exit code 0") throw new Error(`${nameOf(service, replica)} ended with ${reason}`);
  };
  /** Restarts the replicas of the services one after the other; replicas of different services at the same time. */
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
  for (const replica of REPLICAS) await Promise.all(SERVICES.map((service) => start(service, replica)));

  return {
    /** The balancer of the gateways. */
    url: balancers.gateway.url,
    databases,
    broker,
    next,
    urlOf,
    logOf,
    roll,
    start,
    stop,
    stopAll: () => ended.disposeAsync(),
  };
}

/** Runs `work` for each service at the same time. */
export async function forServices<Value>(
  work: (service: ServiceName) => Promise<Value>,
): Promise<ForServices<Value>> {
  const entries = await Promise.all(SERVICES.map(async (service) => [service, await work(service)] as const));
  return Object.fromEntries(entries) as ForServices<Value>;
}

/** A login of a service's database next to those that exist, made as deploy/postgres/create-roles.sh does. */
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
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const set = Object.entries(settings).map(([key, value]) => `set tradepost.${key} = '${value}';`);
    await client.query(set.join("\n") + readFileSync(file, "utf8"));
  } finally {
    await client.end();
  }
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = password;
  return { name, url: url.href };
}
