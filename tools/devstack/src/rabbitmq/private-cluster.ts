// Several private RabbitMQ nodes that form a cluster, for tests and chaos: nodes are killed, restarted, and cut off from the
// others. All are on 127.0.0.1 and share one epmd.
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { claimPorts, isListening } from "../process/ports.ts";
import type { Program, RunningProcess } from "../process/program.ts";
import { epmd, type PreparedRabbitmq, prepareRabbitmq } from "./private-rabbitmq.ts";
import { findRabbitmq } from "./rabbitmq-binaries.ts";

export type ClusterNode = ReturnType<typeof clusterNode>;
export type RabbitmqCluster = NonNullable<Awaited<ReturnType<typeof prepareRabbitmqCluster>>>;

/** No node runs yet. Undefined if RabbitMQ is neither installed nor available as a package. */
export async function prepareRabbitmqCluster(options: {
  dataDir: string;
  size: number;
  log: (line: string) => void;
}) {
  const binaries = await findRabbitmq(options.log);
  if (binaries === undefined) return undefined;
  const { dataDir, size, log } = options;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { epmd: epmdPort } = await claimPorts(path.join(dataDir, "ports.json"), ["epmd"]);
  const portMapper = await epmd(binaries, epmdPort, dataDir).start();
  const names = Array.from({ length: size }, (_, index) => `tradepost-${index + 1}-${random(4)}@localhost`);
  const shared = { user: "tradepost", password: random(18), cookie: random(18), first: names[0] ?? "" };
  const nodes: ClusterNode[] = [];
  let grow: PreparedRabbitmq["node"]["queues"] | undefined;
  for (const [index, name] of names.entries()) {
    const directory = path.join(dataDir, `node-${index + 1}`);
    describe(directory, name, shared);
    const prepared = await prepareRabbitmq({ dataDir: directory, durable: false, epmdPort, log });
    if (prepared === undefined) return undefined;
    grow ??= prepared.node.queues;
    nodes.push(clusterNode(name, prepared));
  }
  return {
    nodes,
    /** Gives every quorum queue a member on the node. */
    grow: async ({ name }: ClusterNode) => await grow?.("grow", name, "all"),
    stop: async () => {
      await Promise.all(nodes.map((node) => node.kill()));
      await portMapper.stop();
    },
  };
}

interface Shared {
  readonly user: string;
  readonly password: string;
  /** Nodes can talk to each other only if they have the same cookie. */
  readonly cookie: string;
  readonly first: string;
}

function describe(directory: string, name: string, { user, password, cookie, first }: Shared): void {
  for (const folder of ["home", "conf.d"]) mkdirSync(path.join(directory, folder), { recursive: true });
  writeFileSync(path.join(directory, "node.json"), JSON.stringify({ name, user, password }), { mode: 0o600 });
  writeFileSync(path.join(directory, "home/.erlang.cookie"), cookie, { mode: 0o400 });
  const lines = [
    // A majority continues; a minority pauses until it finds the others again.
    "cluster_partition_handling = pause_minority",
    "cluster_formation.peer_discovery_backend = rabbit_peer_discovery_classic_config",
    `cluster_formation.classic_config.nodes.1 = ${first}`,
    // A node that starts waits for the others to say who was the last to stop: for a minute, not for five.
    "mnesia_table_loading_retry_timeout = 30000",
    "mnesia_table_loading_retry_limit = 2",
  ];
  writeFileSync(path.join(directory, "conf.d/10-cluster.conf"), `${lines.join("\n")}\n`);
}

function clusterNode(name: string, { amqpUrl, managementUrl, node, processes }: PreparedRabbitmq) {
  const program = processes.at(-1) as Program;
  let running: RunningProcess | undefined;
  const start = async () => {
    running = await program.start();
  };
  // Two nodes connect only if each has the same cookie for the other.
  const setCookies = (cookie: string) =>
    `[begin erlang:set_cookie(N, ${cookie}), erlang:disconnect_node(N) end || N <- rabbit_nodes:all(), N =/= node()].`;
  return {
    /** Queues name their leader by it. */
    name,
    amqpUrl,
    managementUrl,
    /** Resolves when the node accepts connections. When a node starts for the first time, it joins the cluster of the first node. */
    start,
    /** Starts a node that is down with the exchanges and queues that it knows, and does not wait for nodes that may know more. */
    forceStart: async () => {
      await node.control("force_boot");
      await start();
    },
    /** False while the node is down, and while it is paused because it is cut off from the majority. */
    accepts: () => isListening(Number(new URL(amqpUrl).port)),
    /** Kills the node as a power failure would; does nothing if the node is down. */
    kill: async () => {
      running?.kill();
      await running?.ended;
    },
    /** Cuts the node off from the others: their network fails, but clients still reach all nodes. */
    cutOff: () => node.control("eval", setCookies("cut_off")),
    rejoin: () => node.control("eval", setCookies("erlang:get_cookie()")),
    /** Runs rabbitmqctl: `control("list_queues")`. Rejects, with what it wrote on standard error, if it fails. */
    control: node.control,
  };
}

function random(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}
