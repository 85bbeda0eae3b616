// Faults of a cluster: broker nodes are killed, started again and cut off, primaries of the databases are cut off and replaced, and
// all processes are restarted. The broker has one node at first, and grows.
import { type ClusterNode, type ReplicatedPostgres, SERVICES, type ServiceName } from "@tradepost/devstack";
import { sleep, withDeadline } from "@tradepost/runtime";
import { requestManagement, until } from "@tradepost/testing";
import type { ClusterPlatform } from "../cluster-platform.ts";
import { runOps } from "../platform.ts";
import type { Fault, FaultContext } from "./fault.ts";
import { restartOneByOne } from "./servers.ts";

type ClusterFault = Fault<ClusterPlatform>;
type ClusterContext = FaultContext<ClusterPlatform>;

const QUEUE = "webhooks.events";
const LOOK_EVERY_MS = 500;
const COME_BACK_MS = 30_000;
const STARTS_MAX = 3;

export const clusterFaults: readonly ClusterFault[] = [
  {
    name: "broker grows from one node to three",
    isAlways: true,
    isShort: true,
    inject: async (context) => {
      const { cluster } = context.platform;
      const [, second, third] = cluster.nodes;
      for (const node of [second, third]) {
        await start(node, context.note);
        await cluster.grow(node);
      }
      await untilWhole(context);
    },
  },
  { name: "kill -9 the node of the leader", inject: killing((leader) => [leader]) },
  { name: "kill -9 the node of a follower", inject: killing((_leader, follower) => [follower]) },
  { name: "kill -9 two of three nodes", inject: killing((leader, follower) => [leader, follower]) },
  {
    name: "the node of the leader cut off",
    isShort: true,
    inject: async (context) => {
      const leader = await leaderOf(context.platform, QUEUE);
      await leader.cutOff();
      // A node without the majority refuses its clients, which connect to the others.
      await until("the pause of the node", async () => !(await leader.accepts()));
      await sleep(context.durationMs);
      await leader.rejoin();
      await untilWhole(context);
    },
  },
  ...SERVICES.map(promotion),
  {
    name: "primaries cut off, restarted, standbys promoted",
    mayFailRequests: true,
    readsMayShowLost: true,
    inject: async ({ platform, durationMs, primariesReplaced }) => {
      const services = ["orders", "content"] as const;
      const databases = services.map((service) => platform.postgres[service]);
      const onEach = (change: (database: ReplicatedPostgres) => Promise<void>) =>
        Promise.all(databases.map(change));
      await onEach((database) => database.isolate());
      // The primaries then commit data that no standby has, and show it to clients that repeat a request.
      const stopCancelling = databases.map((database) => database.startCancelling());
      await sleep(durationMs);
      await onEach((database) => database.restartIsolated());
      await sleep(durationMs);
      await Promise.all(stopCancelling.map((stop) => stop()));
      await onEach((database) => database.failOverIsolated());
      primariesReplaced();
      await platform.untilReady();
      for (const service of services) {
        await platform.postgres[service].replaceStandby();
        await runOps(platform, "restored", service, "--nothing-lost");
      }
    },
  },
  { name: "graceful restart, one by one", inject: ({ platform }) => restartOneByOne(platform) },
];

async function untilWhole(context: Pick<ClusterContext, "platform" | "note">): Promise<void> {
  const { platform, note } = context;
  const deadline = Date.now() + COME_BACK_MS;
  await until("all members of all queues to be up", async () => {
    await sleep(LOOK_EVERY_MS);
    if (Date.now() > deadline) await startAgain(platform, note);
    return await isWhole(platform);
  });
}

// A node of RabbitMQ 3.10 fails to start if it asks another node that is still starting. The same happens to a paused node: it
// starts RabbitMQ by itself when it finds the majority again, and then runs on without accepting connections. An operator or an
// orchestrator restarts such a node.

async function startAgain(platform: ClusterPlatform, note: (text: string) => void): Promise<void> {
  for (const node of await nodesDown(platform)) {
    note(`${node.name} did not come back by itself, and was started again`);
    await node.kill();
    await start(node, note);
  }
}

async function start(node: ClusterNode, note: (text: string) => void): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await node.start();
    } catch (error) {
      if (tries === STARTS_MAX) throw error;
      note(`${node.name} did not start, and was started again`);
    }
  }
}

/** Kills nodes and starts them again. */
function killing(
  choose: (leader: ClusterNode, follower: ClusterNode) => readonly ClusterNode[],
): ClusterFault["inject"] {
  return async (context) => {
    const leader = await leaderOf(context.platform, QUEUE);
    const follower = context.platform.cluster.nodes.find((node) => node !== leader);
    const nodes = choose(leader, follower as ClusterNode);
    await Promise.all(nodes.map((node) => node.kill()));
    await sleep(context.durationMs);
    await startTogether(nodes, context);
    await untilWhole(context);
  };
}

/**
 * Starts nodes that have crashed. Before version 4 of RabbitMQ they may all wait for each other. Then one of them starts without
 * waiting.
 */
async function startTogether(
  nodes: readonly ClusterNode[],
  { platform, note }: ClusterContext,
): Promise<void> {
  const started = await Promise.allSettled(nodes.map((node) => node.start()));
  const failed = nodes.filter((_, index) => started[index]?.status === "rejected");
  for (const node of failed) {
    const isAnyUp = (await nodesDown(platform)).length < platform.cluster.nodes.length;
    note(`${node.name} did not start, and was ${isAnyUp ? "started again" : "forced to start"}`);
    if (isAnyUp) await start(node, note);
    else await node.forceStart();
  }
}

function promotion(service: ServiceName): ClusterFault {
  return {
    name: `standby of ${service} promoted`,
    mayFailRequests: true,
    ...(service === "orders" && { isShort: true as const }),
    inject: async ({ platform }) => {
      await platform.postgres[service].failOver();
      await platform.untilReady();
      await platform.postgres[service].replaceStandby();
      // The last step of the runbook: `verify` cannot know that the standby had every commit.
      await runOps(platform, "restored", service, "--nothing-lost");
    },
  };
}

const RESPONSE_TIMEOUT_MS = 10_000;

interface Queue {
  readonly name: string;
  readonly leader?: string;
  readonly members?: readonly string[];
  readonly online?: readonly string[];
}

function leaderOf({ cluster }: ClusterPlatform, queue: string): Promise<ClusterNode> {
  return until(`the leader of ${queue}`, async () => {
    const leader = (await readQueues(cluster.nodes)).find(({ name }) => name === queue)?.leader;
    return cluster.nodes.find(({ name }) => name === leader);
  });
}

/** Whether every node accepts clients, and every queue has a member on each that is up. */
export async function isWhole(platform: ClusterPlatform): Promise<boolean> {
  const { nodes } = platform.cluster;
  if ((await nodesDown(platform)).length > 0) return false;
  const queues = await readQueues(nodes);
  const isOnAll = ({ members = [], online = [] }: Queue) =>
    members.length === nodes.length && online.length === nodes.length;
  return queues.length > 0 && queues.every(isOnAll);
}

async function nodesDown({ cluster }: ClusterPlatform): Promise<ClusterNode[]> {
  const areUp = await Promise.all(cluster.nodes.map((node) => node.accepts()));
  return cluster.nodes.filter((_, index) => !areUp[index]);
}

/** Empty if no node responds. A node may also pause before its response or in the middle of it. */
async function readQueues(nodes: readonly ClusterNode[]): Promise<Queue[]> {
  for (const { managementUrl } of nodes) {
    const queues = requestManagement(managementUrl, "GET", "/queues") as Promise<Queue[]>;
    const read = await withDeadline(queues, RESPONSE_TIMEOUT_MS, "no response").catch(() => null);
    if (read !== null) return read;
  }
  return [];
}
