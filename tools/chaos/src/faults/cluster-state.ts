// Reads the state of the cluster's nodes and queues.
import type { ClusterNode } from "@tradepost/devstack";
import { until } from "@tradepost/testing";
import type { ClusterPlatform } from "../cluster-platform.ts";

const RESPONSE_TIMEOUT_MS = 10_000;

interface Queue {
  readonly name: string;
  readonly leader?: string;
  readonly members?: readonly string[];
  readonly online?: readonly string[];
}

/** Resolves to the node that leads a queue, once a node knows it. */
export function leaderOf({ cluster }: ClusterPlatform, queue: string): Promise<ClusterNode> {
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

/** The nodes that accept no clients. */
export async function nodesDown({ cluster }: ClusterPlatform): Promise<ClusterNode[]> {
  const areUp = await Promise.all(cluster.nodes.map((node) => node.accepts()));
  return cluster.nodes.filter((_, index) => !areUp[index]);
}

/** Asks one node after the other until one responds. Empty if none does. */
async function readQueues(nodes: readonly ClusterNode[]): Promise<Queue[]> {
  for (const { managementUrl } of nodes) {
    const queues = await readQueuesFrom(new URL(managementUrl)).catch(() => null);
    if (queues !== null) return queues;
  }
  return [];
}

/** Also rejects if the node pauses before its response or in the middle of it. */
async function readQueuesFrom({ username, password, origin }: URL): Promise<Queue[] | null> {
  const authorization = `Basic ${btoa(`${username}:${password}`)}`;
  const response = await fetch(`${origin}/api/queues`, {
    headers: { authorization },
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
  });
  return response.ok ? ((await response.json()) as Queue[]) : null;
}
