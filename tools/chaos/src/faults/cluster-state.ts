// What the nodes of the cluster say about its queues.
import type { ClusterNode } from "@tradepost/devstack";
import type { ClusterPlatform } from "../cluster-platform.ts";

interface Queue {
  readonly name: string;
  readonly leader?: string;
  readonly members?: readonly string[];
  readonly online?: readonly string[];
}

/** The node that leads a queue; throws if no node knows it. */
export async function leaderOf({ cluster }: ClusterPlatform, queue: string): Promise<ClusterNode> {
  const leader = (await readQueues(cluster.nodes)).find(({ name }) => name === queue)?.leader;
  const found = cluster.nodes.find(({ name }) => name === leader);
  if (found === undefined) throw new Error(`No node leads the queue ${queue}.`);
  return found;
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

/** The nodes that accept no clients. */
export async function nodesDown({ cluster }: ClusterPlatform): Promise<ClusterNode[]> {
  const areUp = await Promise.all(cluster.nodes.map((node) => node.accepts()));
  return cluster.nodes.filter((_, index) => !areUp[index]);
}

/** As the first node says that responds; empty if none does. */
async function readQueues(nodes: readonly ClusterNode[]): Promise<Queue[]> {
  for (const { managementUrl } of nodes) {
    const url = new URL(managementUrl);
    const authorization = `Basic ${btoa(`${url.username}:${url.password}`)}`;
    const response = await fetch(`${url.origin}/api/queues`, { headers: { authorization } }).catch(
      () => null,
    );
    if (response?.ok) return (await response.json()) as Queue[];
  }
  return [];
}
