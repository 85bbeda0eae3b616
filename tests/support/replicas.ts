// The services as processes, two of each, behind balancers. They start and stop one by one, as in a rolling restart. A process may
// run the source of another release.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { RunningProcess } from "@tradepost/devstack";
import { ROOT, readPlatformSettings, serviceProgram } from "@tradepost/devstack";
import { createEmptyServiceDatabase } from "@tradepost/testing";
import { forServices, type ReplicaName, serviceOf, startBalancedServices } from "./balanced-services.ts";

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;

const SETTINGS = {
  PORT: "0",
  LOG_LEVEL: "info",
  // Within this time, a replica that is stopping responds to what its balancer has sent.
  DRAIN_IDLE_MS: "1000",
  CANARY_EVERY_MS: "0",
  RATE_LIMIT_PER_SECOND: "0",
  TENANT_RATE_LIMIT_PER_SECOND: "0",
  WEBHOOKS_RETRY_SCHEDULE: "100ms,100ms,100ms,100ms,100ms,100ms,100ms",
};

/** Resolves when the databases (not migrated), the broker and the balancers exist. No service runs yet. */
export async function startReplicas() {
  // Stops the parts that were started if a later step fails.
  await using ended = new AsyncDisposableStack();
  const base = await startBalancedServices(ended, createEmptyServiceDatabase);
  const { dataDir, secrets, broker, databases, ports, serviceUrls } = base;
  const settings = readPlatformSettings({ ...process.env, ...SETTINGS, TRADEPOST_DATA_DIR: dataDir });
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
    ...base,
    /** The addresses for the operators' commands. */
    operator: {
      databases: await forServices(async (service) => databases[service].url),
      amqpUrl: broker.amqpUrl,
      managementUrl: broker.managementUrl,
    },
    /** Starts a replica of the release whose source is at `root`. Resolves when the process responds. */
    start: async (name: ReplicaName, root = ROOT): Promise<RunningProcess> => {
      const service = serviceOf(name);
      const program = serviceProgram(service, name, ports[name] as number, {
        ...{ settings, secrets, serviceUrls, root, amqpUrl: broker.amqpUrl },
        databaseUrl: databases[service].serviceUrl,
        trustedCertificatesFile: process.env.NODE_EXTRA_CA_CERTS ?? "",
      });
      const start = program.start();
      starting.add(start);
      const started = await start;
      running.set(name, started);
      void started.ended.then(() => running.get(name) === started && running.delete(name));
      return started;
    },
    /** Stops the replica as an orchestrator does. Resolves with the way it ended. */
    stopOne: async (name: ReplicaName): Promise<string | undefined> => {
      const one = running.get(name);
      await one?.stop();
      return await one?.ended;
    },
    /** Returns the parsed lines of the replica's log. */
    logOf: (name: ReplicaName): Record<string, unknown>[] =>
      readFileSync(path.join(dataDir, `logs/${name}.log`), "utf8")
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line)),
    stop: () => kept.disposeAsync(),
  };
}
