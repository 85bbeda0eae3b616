// The services as processes, several of each, behind balancers. They start and stop one by one, as in a rolling restart. A
// process may run the source of another release.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { RunningProcess } from "@tradepost/devstack";
import {
  claimPorts,
  ROOT,
  readPlatformSecrets,
  readPlatformSettings,
  SERVICES,
  type ServiceName,
  serviceProgram,
} from "@tradepost/devstack";
import { createEmptyServiceDatabase, createTestBroker, until } from "@tradepost/testing";
import { type Balancer, startBalancer } from "./balancer.ts";

/** A name such as `orders-1`. */
export type ReplicaName = `${ServiceName}-${number}`;

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;

const SETTINGS = {
  PORT: "0",
  LOG_LEVEL: "info",
  // Within this time, the balancer notices that a replica is stopping.
  DRAIN_IDLE_MS: "1000",
  CANARY_EVERY_MS: "0",
  RATE_LIMIT_PER_SECOND: "0",
  TENANT_RATE_LIMIT_PER_SECOND: "0",
  WEBHOOKS_RETRY_SCHEDULE: "100ms,100ms,100ms,100ms,100ms,100ms,100ms",
};

/** Resolves when the databases (not migrated), the broker and the balancers exist. No service runs yet. */
export async function startReplicas({
  perService = 2,
  settings: more = {},
}: {
  perService?: number;
  settings?: Record<string, string>;
} = {}) {
  // Stops the parts that were started if a later step fails.
  await using ended = new AsyncDisposableStack();
  const dataDir = mkdtempSync(path.join(tmpdir(), "tradepost-replicas-"));
  ended.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  for (const folder of ["run", "logs"]) mkdirSync(path.join(dataDir, folder));
  const [broker, ...created] = await Promise.all([
    createTestBroker(),
    ...SERVICES.map((service) => createEmptyServiceDatabase(service)),
  ]);
  for (const one of [broker, ...created]) ended.defer(one.drop);
  const ofEach = <Value>(value: (service: ServiceName, index: number) => Value) =>
    Object.fromEntries(SERVICES.map((service, index) => [service, value(service, index)])) as Record<
      ServiceName,
      Value
    >;
  const databases = ofEach((_, index) => created[index] as (typeof created)[number]);

  const names = SERVICES.flatMap((service) =>
    Array.from({ length: perService }, (_, index): ReplicaName => `${service}-${index + 1}`),
  );
  const ports = await claimPorts(path.join(dataDir, "run/ports.json"), names);
  const urlOf = (name: ReplicaName) => `http://127.0.0.1:${ports[name]}`;
  const serviceOf = (name: ReplicaName) => name.split("-")[0] as ServiceName;
  const balancers: Partial<Record<ServiceName, Balancer>> = {};
  for (const service of SERVICES) {
    const own = names.filter((name) => serviceOf(name) === service);
    balancers[service] = await startBalancer(own.map(urlOf));
  }
  const balancer = (service: ServiceName) => balancers[service] as Balancer;
  ended.defer(async () => void (await Promise.all(SERVICES.map((service) => balancer(service).stop()))));

  const secrets = readPlatformSecrets(dataDir);
  const settings = readPlatformSettings({
    ...process.env,
    ...SETTINGS,
    ...more,
    TRADEPOST_DATA_DIR: dataDir,
  });
  const running = new Map<ReplicaName, RunningProcess>();
  const starting = new Set<Promise<RunningProcess>>();
  ended.defer(async () => {
    // If one replica fails to start, others may still be starting.
    await Promise.allSettled(starting);
    for (const one of running.values()) one.kill();
    await Promise.all([...running.values()].map((one) => one.ended));
  });

  const kept = ended.move();
  return {
    /** The address of the gateway's balancer. */
    url: balancer("gateway").url,
    databases,
    broker,
    /** The addresses for the operators' commands. */
    operator: {
      databases: ofEach((service) => databases[service].url),
      amqpUrl: broker.amqpUrl,
      managementUrl: broker.managementUrl,
    },
    /** Starts a replica of the release whose source is at `root`. Resolves when the process responds. */
    start: async (name: ReplicaName, root = ROOT): Promise<RunningProcess> => {
      const service = serviceOf(name);
      const program = serviceProgram(service, name, ports[name] as number, {
        settings,
        secrets,
        databaseUrl: databases[service].serviceUrl,
        amqpUrl: broker.amqpUrl,
        serviceUrls: ofEach((other) => balancer(other).url),
        trustedCertificatesFile: process.env.NODE_EXTRA_CA_CERTS ?? "",
        root,
      });
      const start = program.start();
      starting.add(start);
      const started = await start;
      running.set(name, started);
      void started.ended.then(() => running.get(name) === started && running.delete(name));
      return started;
    },
    /** Resolves when the replica is ready and gets requests. */
    untilIn: (name: ReplicaName) =>
      until(`${name} behind its balancer`, () => balancer(serviceOf(name)).isIn(urlOf(name))),
    /** Stops the replica as an orchestrator does. Resolves with the way it ended. */
    stopOne: async (name: ReplicaName): Promise<string | undefined> => {
      const one = running.get(name);
      await one?.stop();
      return await one?.ended;
    },
    /** Returns the number of requests to which the replica has responded. */
    served: (name: ReplicaName) => balancer(serviceOf(name)).served.get(urlOf(name)) ?? 0,
    urlOf,
    /** Returns the parsed lines of the replica's log. */
    logOf: (name: ReplicaName): Record<string, unknown>[] =>
      readFileSync(path.join(dataDir, `logs/${name}.log`), "utf8")
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line)),
    stop: () => kept.disposeAsync(),
  };
}
