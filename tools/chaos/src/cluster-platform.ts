// The platform of `npm run chaos -- --cluster`: three RabbitMQ nodes, of which only one runs at first, a Postgres primary with a
// synchronous standby for each database, and two processes of each service.
import path from "node:path";
import {
  type ClusterNode,
  execute,
  prepareRabbitmqCluster,
  type RabbitmqCluster,
  type ReplicatedPostgres,
  SERVICES,
  type ServiceName,
  startPlatform,
  startReplicatedPostgres,
} from "@tradepost/devstack";
import { type ChaosPlatform, chaosSettings } from "./platform.ts";

export interface ClusterPlatform extends ChaosPlatform {
  readonly cluster: RabbitmqCluster & { readonly nodes: readonly [ClusterNode, ClusterNode, ClusterNode] };
  readonly postgres: Readonly<Record<ServiceName, ReplicatedPostgres>>;
}

export async function startClusterPlatform(
  dataDir: string,
  log: (line: string) => void,
): Promise<ClusterPlatform> {
  await using starting = new AsyncDisposableStack();
  const cluster = await prepareRabbitmqCluster({ dataDir: path.join(dataDir, "cluster"), size: 3, log });
  if (cluster === undefined) throw new Error("Chaos needs a private RabbitMQ, which is not available here.");
  starting.defer(cluster.stop);
  const [first] = cluster.nodes as ClusterPlatform["cluster"]["nodes"];
  log("Starting a RabbitMQ node, and a Postgres with a standby for each database …");
  const [postgres] = await Promise.all([startDatabases(starting), first.start()]);
  const databaseUrls = Object.fromEntries(SERVICES.map((name) => [name, urlOf(postgres[name], name)]));
  const amqpUrl = cluster.nodes.map((node) => node.amqpUrl).join(",");
  const broker = { amqpUrl, managementUrl: first.managementUrl };
  const settings = { ...chaosSettings(dataDir), databaseUrls, broker };
  const platform = await startPlatform({ settings, replicas: 2, log });
  const running = starting.move();
  return {
    ...platform,
    ...{ postgres, cluster: cluster as ClusterPlatform["cluster"] },
    rabbitmq: { amqpUrl, managementUrl: cluster.nodes.map((node) => node.managementUrl).join(",") },
    processNames: platform.services.map(({ name }) => name),
    kill: async () => {
      await platform.kill();
      await running.disposeAsync();
    },
  };
}

/** Starts one database after the other: the first unpacks the programs, and each copy of a primary reads and writes a lot. */
async function startDatabases(starting: AsyncDisposableStack): Promise<ClusterPlatform["postgres"]> {
  const started: [ServiceName, ReplicatedPostgres][] = [];
  for (const name of SERVICES) {
    const postgres = await startReplicatedPostgres();
    starting.defer(postgres.stop);
    started.push([name, postgres]);
    await execute(postgres.url, `create database ${name}`);
  }
  return Object.fromEntries(started) as ClusterPlatform["postgres"];
}

function urlOf({ url }: ReplicatedPostgres, database: string): string {
  return new URL(`/${database}`, url).href;
}
